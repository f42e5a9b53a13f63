import { globSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { staticFile } from './static-files.ts'

const names = globSync('*/*.{client.ts,js,css}', { cwd: dirname(import.meta.dirname) }).map((path) => basename(path))
const textOf = (name: string): string => Buffer.from(staticFile(name)?.body ?? []).toString()

describe('static files', () => {
  it('have different names', () => {
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  })

  it('have no types', () => {
    expect(textOf('api-request.client.ts')).toContain('export class RequestRefused extends Error')
    expect(textOf('api-request.client.ts')).not.toMatch(/interface|: string/)
  })

  it.each(names)('%s imports other scripts in their current versions only', (name) => {
    for (const [, path = ''] of textOf(name).matchAll(/^import .*\bfrom '([^']*)'/gm)) {
      const [, other = '', version] = path.match(/^\.\/([a-z0-9-]+\.client\.ts)\?v=(.+)$/) ?? []
      expect(staticFile(other)?.version, path).toBe(version)
    }
  })

  it.each(['nothing.css', '../html.ts', 'html.ts', 'static-files.test.ts', 'tsconfig.client.json'])(
    'are not at %s',
    (path) => {
      expect(staticFile(path)).toBeUndefined()
    },
  )
})
