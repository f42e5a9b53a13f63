import { globSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { islandFile } from './island-files.ts'

const names = globSync('*.ts', { cwd: join(import.meta.dirname, 'islands') })
const textOf = (path: string): string => Buffer.from(islandFile(path)?.body ?? []).toString()

describe('the script of an island', () => {
  it('has no types', () => {
    expect(textOf('islands/api-request.ts')).toContain('export class RequestRefused extends Error')
    expect(textOf('islands/api-request.ts')).not.toMatch(/interface|: string/)
  })

  it.each(names)('%s imports other islands in their current versions only', (name) => {
    const imported = [...textOf(`islands/${name}`).matchAll(/^.*\bfrom '([^']*)'/gm)]
    for (const [, path = ''] of imported) {
      const [, other = '', version] = path.match(/^\.\/([a-z0-9-]+\.ts)\?v=(.+)$/) ?? []
      expect(islandFile(`islands/${other}`)?.version, path).toBe(version)
    }
  })

  it.each(['islands/nothing.ts', 'islands/../html.ts', 'islands/tsconfig.json', 'api-request.ts'])(
    'is not at %s',
    (path) => {
      expect(islandFile(path)).toBeUndefined()
    },
  )
})
