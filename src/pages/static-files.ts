import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

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
  'lists.css': 'text/css; charset=utf-8',
  'import.css': 'text/css; charset=utf-8',
  'drawings.css': 'text/css; charset=utf-8',
  'edit.css': 'text/css; charset=utf-8',
  'phone.css': 'text/css; charset=utf-8',
  'home.css': 'text/css; charset=utf-8',
  'browse.js': 'text/javascript; charset=utf-8',
  'copy.js': 'text/javascript; charset=utf-8',
  'choices.js': 'text/javascript; charset=utf-8',
  'columns.js': 'text/javascript; charset=utf-8',
  'lists.js': 'text/javascript; charset=utf-8',
  'edit-form.js': 'text/javascript; charset=utf-8',
  'object-picker.js': 'text/javascript; charset=utf-8',
  'object-search.js': 'text/javascript; charset=utf-8',
  'palette.js': 'text/javascript; charset=utf-8',
  'request-form.js': 'text/javascript; charset=utf-8',
  'tokens.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml',
} as const

export type StaticName = keyof typeof TYPES

/** The files below /static/, read once. */
export const STATIC_FILES: ReadonlyMap<string, StaticFile> = new Map(
  Object.entries(TYPES).map(([name, type]) => {
    const body = readFileSync(join(import.meta.dirname, 'static', name))
    const version = createHash('sha256').update(body).digest('base64url').slice(0, 12)
    return [name, { type, body, version }]
  }),
)

/** URL of a static file. `basePath` is that of the service. */
export const staticUrl = (basePath: string, name: StaticName): string =>
  `${basePath}/static/${name}?v=${STATIC_FILES.get(name)?.version}`
