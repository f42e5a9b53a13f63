import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { loadSecrets } from '../../src/config/secrets.ts'
import { readSettings } from '../../src/config/settings.ts'
import { createVault } from '../../src/identity/vault.ts'
import { BEHAVIOURS, MODELS } from '../../src/models/index.ts'
import { buildRegistry } from '../../src/schema/registry.ts'
import { createService } from '../../src/service.ts'
import { raw } from '../../src/sql/fragment.ts'
import { exportDataSet } from '../../src/transfer/export-directory.ts'
import { importDataSet } from '../../src/transfer/import-directory.ts'
import { databaseOfTest } from '../support/database.ts'

const DATA = join(import.meta.dirname, '../data/inventory')
const registry = buildRegistry(MODELS, BEHAVIOURS)

async function prepare(directory: string) {
  const settings = readSettings({ DATA_DIR: directory })
  const database = await databaseOfTest('migrated')
  const vault = createVault(
    loadSecrets(settings, () => undefined),
    false,
  )
  const service = createService(registry, database, settings)
  return {
    load: (from: string) => importDataSet(service, from, { vault }),
    write: (to: string) => exportDataSet(service, to),
    ask: (statement: string) => database.queryArrays(raw(statement)),
  }
}

const linesOf = (path: string): readonly string[] => gunzipSync(readFileSync(path)).toString().trim().split('\n')

describe('an exported data set', () => {
  it('transfers everything to another database', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'cadastre-export-'))
    onTestFinished(() => rmSync(directory, { recursive: true }))
    const place = (name: string) => join(directory, name)
    const first = await prepare(place('first'))
    await first.load(DATA)
    const { exported } = await first.write(place('set'))
    const second = await prepare(place('second'))
    await second.load(place('set'))
    await second.write(place('again'))

    for (const { endpoint } of exported) {
      const file = `${endpoint}.jsonl.gz`
      expect(linesOf(place(`again/${file}`)), endpoint).toEqual(linesOf(place(`set/${file}`)))
    }
    expect(linesOf(place('again/extra/hidden-fields.jsonl.gz'))).toEqual(
      linesOf(place('set/extra/hidden-fields.jsonl.gz')),
    )
    expect(JSON.parse(linesOf(place('set/dcim/sites.jsonl.gz'))[0] ?? '')).toMatchObject({
      id: 21,
      url: '{base}/api/dcim/sites/21/',
      region: { id: 3, name: 'Coast 2' },
      custom_fields: { twin: { id: 22 }, floor: 4, keeper: null },
      last_updated: '2024-02-02T10:11:12.131415Z',
    })
    const secrets = `select u.password, t.digest from users_user u, users_token t`
    expect(await second.ask(secrets)).toEqual(await first.ask(secrets))
    expect(existsSync(place('second/media/image-attachments/pier.png'))).toBe(true)
  })

  it('does not overwrite anything', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'cadastre-export-'))
    onTestFinished(() => rmSync(directory, { recursive: true }))
    const { write } = await prepare(join(directory, 'data'))
    mkdirSync(join(directory, 'set'))
    writeFileSync(join(directory, 'set/note'), 'mine')
    await expect(write(join(directory, 'set'))).rejects.toThrow('is not empty')
  })
})
