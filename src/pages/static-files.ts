import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type IslandName, islandFile } from './island-files.ts'

/** A static file of the package that pages use. */
export interface StaticFile {
  readonly type: string
  readonly body: Uint8Array
  /** Changes with the content, so that browsers may cache the file without expiry. */
  readonly version: string
}

const TYPES = {
  'page.css': 'text/css; charset=utf-8',
  'surface.css': 'text/css; charset=utf-8',
  'form.css': 'text/css; charset=utf-8',
  'inputs.css': 'text/css; charset=utf-8',
  'exchange.css': 'text/css; charset=utf-8',
  'browse.css': 'text/css; charset=utf-8',
  'related.css': 'text/css; charset=utf-8',
  'search.css': 'text/css; charset=utf-8',
  'reference.css': 'text/css; charset=utf-8',
  'header.css': 'text/css; charset=utf-8',
  'frame.css': 'text/css; charset=utf-8',
  'objects.css': 'text/css; charset=utf-8',
  'object.css': 'text/css; charset=utf-8',
  'live.css': 'text/css; charset=utf-8',
  'grid.css': 'text/css; charset=utf-8',
  'lists.css': 'text/css; charset=utf-8',
  'import.css': 'text/css; charset=utf-8',
  'drawings.css': 'text/css; charset=utf-8',
  'addresses.css': 'text/css; charset=utf-8',
  'racks.css': 'text/css; charset=utf-8',
  'utilization.css': 'text/css; charset=utf-8',
  'cabling.css': 'text/css; charset=utf-8',
  'topology.css': 'text/css; charset=utf-8',
  'edit.css': 'text/css; charset=utf-8',
  'phone.css': 'text/css; charset=utf-8',
  'dashboard.css': 'text/css; charset=utf-8',
  'browse.js': 'text/javascript; charset=utf-8',
  'choices.js': 'text/javascript; charset=utf-8',
  'columns.js': 'text/javascript; charset=utf-8',
  'lists.js': 'text/javascript; charset=utf-8',
  'edit-form.js': 'text/javascript; charset=utf-8',
  'object.js': 'text/javascript; charset=utf-8',
  'object-picker.js': 'text/javascript; charset=utf-8',
  'palette.js': 'text/javascript; charset=utf-8',
  'request-form.js': 'text/javascript; charset=utf-8',
  'tokens.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml',
} as const

/** Path of a file below /static/. */
export type StaticName = keyof typeof TYPES | IslandName

/** Read once. */
const STATIC_FILES: ReadonlyMap<string, StaticFile> = new Map(
  Object.entries(TYPES).map(([name, type]) => {
    const body = readFileSync(join(import.meta.dirname, 'static', name))
    const version = createHash('sha256').update(body).digest('base64url').slice(0, 12)
    return [name, { type, body, version }]
  }),
)

/** A file below /static/; undefined if there is none of that name. */
export const staticFile = (name: string): StaticFile | undefined =>
  STATIC_FILES.get(name) ?? islandFile(name)

/** URL of a static file. `basePath` is that of the service. Throws if there is no such file. */
export function staticUrl(basePath: string, name: StaticName): string {
  const file = staticFile(name)
  if (!file) throw new Error(`There is no static file ${name}`)
  return `${basePath}/static/${name}?v=${file.version}`
}
