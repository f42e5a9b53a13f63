import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import type { StaticFile } from './static-files.ts'

/** Path of an island below /static/. */
export type IslandName = `islands/${string}.ts`

const DIRECTORY = join(import.meta.dirname, 'islands')

/** Import of another island. */
const IMPORT = /^((?:import|export)\b[^'"]*?\bfrom |import )'\.\/([a-z0-9-]+\.ts)'/gm

const NAMES: ReadonlySet<string> = new Set(
  readdirSync(DIRECTORY).filter((name) => /^[a-z0-9-]+\.ts$/.test(name)),
)

const ready = new Map<string, StaticFile>()

/**
 * The script of an island as browsers run it: without types, and with the versions of the islands that it imports in
 * their addresses, so that browsers cache these too. Undefined if there is no such island.
 */
export function islandFile(path: string): StaticFile | undefined {
  const name = path.replace(/^islands\//, '')
  if (name === path || !NAMES.has(name)) return undefined
  const cached = ready.get(name)
  if (cached) return cached
  const script = withoutTypes(readFileSync(join(DIRECTORY, name), 'utf8')).replace(
    IMPORT,
    (_, before: string, imported: string) =>
      `${before}'./${imported}?v=${islandFile(`islands/${imported}`)?.version}'`,
  )
  const file = {
    type: 'text/javascript; charset=utf-8',
    body: Buffer.from(script),
    version: createHash('sha256').update(script).digest('base64url').slice(0, 12),
  }
  ready.set(name, file)
  return file
}

/** Node warns once that the function is experimental; the tests of the islands would notice a change. */
function withoutTypes(source: string): string {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return stripTypeScriptTypes(source)
  } finally {
    process.emitWarning = emitWarning
  }
}
