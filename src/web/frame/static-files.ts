import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { basename, dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Endpoint } from '../../api/endpoint.ts'
import { unlessKnown } from '../../api/transport/etag.ts'
import { ApiError } from '../../base/errors.ts'
import { lastValue } from '../../read/query/last-value.ts'

/** Path below /static/ of a file for browsers in a feature's folder: only the name of the file. */
export type StaticName = `${string}.css` | `${string}.client.ts` | `${string}.woff2` | `${string}.webp` | 'icon.svg'

interface StaticFile {
  readonly type: string
  readonly body: Uint8Array
  /** Changes with the content, so that browsers may cache the file without expiry. */
  readonly version: string
}

const SCRIPT = 'text/javascript; charset=utf-8'
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.ts': SCRIPT,
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.webp': 'image/webp',
}

/** The fonts of the pages: the files of their packages for the Latin script. */
const FONTS = [
  '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
  '@fontsource-variable/inter/files/inter-latin-ext-wght-normal.woff2',
  '@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2',
]

const WEB = dirname(import.meta.dirname)

/** The pictures of the documents. */
const PICTURES = join(WEB, '../../docs/images')

/** Paths of the files by name. */
const PATHS = new Map(
  [
    ...globSync('*/*.{css,svg,client.ts}', { cwd: WEB }).map((path) => join(WEB, path)),
    ...globSync('*.webp', { cwd: PICTURES }).map((path) => join(PICTURES, path)),
    ...FONTS.map((path) => fileURLToPath(import.meta.resolve(path))),
  ].map((path) => [basename(path), path]),
)

/** Serves the styles and scripts in the folder of a pack. Throws if another file has the name of one. */
export function addStaticFiles(folder: string): void {
  for (const name of globSync('*.{css,svg,client.ts}', { cwd: folder })) {
    const path = join(folder, name)
    const other = PATHS.get(name)
    if (other !== undefined && other !== path) throw new Error(`There is a static file ${name} already`)
    PATHS.set(name, path)
  }
}

const files = new Map<string, StaticFile>()

/** The file, which is read once; undefined if there is no file of that name. */
export function staticFile(name: string): StaticFile | undefined {
  const cached = files.get(name)
  if (cached) return cached
  const path = PATHS.get(name)
  if (path === undefined) return undefined
  const type = TYPES[extname(name)] ?? 'application/octet-stream'
  const body = bodyAt(path)
  const version = createHash('sha256').update(body).digest('base64url').slice(0, 12)
  const file = { type, body, version }
  files.set(name, file)
  return file
}

/** The file as browsers get it: scripts and styles name the versions of the files that they use. */
function bodyAt(path: string): Uint8Array {
  const extension = extname(path)
  if (extension === '.ts') return Buffer.from(scriptAt(path))
  if (extension !== '.css') return readFileSync(path)
  const versioned = (_: string, name: string): string => `url(${name}?v=${staticFile(name)?.version})`
  return Buffer.from(readFileSync(path, 'utf8').replace(/url\(([a-z0-9-]+\.woff2)\)/g, versioned))
}

/** Import of another script. */
const IMPORT = /^((?:import|export)\b[^'"]*?\bfrom |import )'[^'"]*?([a-z0-9-]+\.client\.ts)'/gm

/**
 * The script as browsers run it: without types, and with the versions of the scripts that it imports in their addresses, so
 * that browsers cache these too.
 */
const scriptAt = (path: string): string =>
  withoutTypes(readFileSync(path, 'utf8')).replace(
    IMPORT,
    (_, before: string, imported: string) => `${before}'./${imported}?v=${staticFile(imported)?.version}'`,
  )

/** Node warns once that the function is experimental; the tests of the scripts would notice a change. */
function withoutTypes(source: string): string {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return stripTypeScriptTypes(source)
  } finally {
    process.emitWarning = emitWarning
  }
}

/** URL of a static file. `basePath` is that of the service. Throws if there is no such file. */
export function staticUrl(basePath: string, name: StaticName): string {
  const file = staticFile(name)
  if (!file) throw new Error(`There is no static file ${name}`)
  return `${basePath}/static/${name}?v=${file.version}`
}

/** GET /favicon.ico: the address at which browsers look for the icon of files that are no pages. */
export const favicon = (basePath: string): Endpoint => ({
  name: 'Icon',
  description: 'The icon of the pages.',
  access: 'public',
  kind: 'file',
  methods: {
    GET: { handle: async () => ({ status: 302, headers: { Location: staticUrl(basePath, 'icon.svg') } }) },
  },
})

/** GET /static/<name>: styles and scripts of the pages. */
export const staticFiles: Endpoint = {
  name: 'Static files',
  description: 'Styles and scripts of the pages.',
  access: 'public',
  kind: 'file',
  methods: {
    GET: {
      handle: async ({ parameters, search, headers }) => {
        const file = staticFile(parameters.at(-1) ?? '')
        if (!file) throw new ApiError({ kind: 'notFound', detail: 'Not found.' })
        const { type, body, version } = file
        const isNamed = lastValue(search, 'v') === version
        const kept = {
          'Cache-Control': isNamed ? 'public, max-age=31536000, immutable' : 'no-cache',
          ETag: `W/"${version}"`,
        }
        return unlessKnown({ status: 200, type, body, headers: kept }, headers['if-none-match'])
      },
    },
  },
}
