import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ConfigurationError } from '../base/errors.ts'
import { loadSecrets } from './secrets.ts'

const long = (letter: string) => letter.repeat(50)

function newDataDir(): string {
  const directory = mkdtempSync(join(tmpdir(), 'cadastre-secrets-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  return join(directory, 'data')
}

function load(dataDir: string, configured: { secretKey?: string; apiTokenPeppers?: Record<string, string> } = {}) {
  const warnings: string[] = []
  const secrets = loadSecrets(
    { dataDir, secretKey: configured.secretKey, apiTokenPeppers: configured.apiTokenPeppers },
    (sentence) => warnings.push(sentence),
  )
  return { ...secrets, warnings }
}

describe('loadSecrets', () => {
  it('generates secrets once, in a file that only its owner can read', () => {
    const dataDir = newDataDir()
    const first = load(dataDir)
    expect(first.secretKey.length).toBeGreaterThanOrEqual(50)
    expect(first.encryptionKey).toHaveLength(32)
    expect([...first.peppers.keys()]).toEqual([1])
    expect(statSync(join(dataDir, 'secrets.json')).mode & 0o777).toBe(0o600)
    expect(load(dataDir)).toEqual(first)
  })

  it('writes no file if the environment contains all secrets', () => {
    const dataDir = newDataDir()
    const configured = { secretKey: long('s'), apiTokenPeppers: { 3: long('p') } }
    expect(load(dataDir, configured)).toMatchObject({
      secretKey: long('s'),
      peppers: new Map([[3, long('p')]]),
    })
    expect(() => statSync(dataDir)).toThrow('ENOENT')
  })

  it('keeps the generated pepper valid when the environment adds another one', () => {
    const dataDir = newDataDir()
    const generated = load(dataDir).peppers.get(1)
    const later = load(dataDir, { apiTokenPeppers: { 2: long('q') } })
    expect(later.peppers).toEqual(
      new Map([
        [1, generated],
        [2, long('q')],
      ]),
    )
  })

  it('warns if other users may read the file', () => {
    const dataDir = newDataDir()
    load(dataDir)
    chmodSync(join(dataDir, 'secrets.json'), 0o644)
    expect(load(dataDir).warnings).toEqual([expect.stringContaining('chmod 600')])
  })

  it('refuses a damaged file and does not change it', () => {
    const dataDir = newDataDir()
    load(dataDir)
    const path = join(dataDir, 'secrets.json')
    writeFileSync(path, '{"secretKey": ')
    expect(() => load(dataDir)).toThrow(ConfigurationError)
    expect(readFileSync(path, 'utf8')).toBe('{"secretKey": ')
  })
})
