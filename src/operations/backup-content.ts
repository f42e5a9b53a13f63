import { ConfigurationError } from '../errors.ts'
import type { StoredTable } from '../migrate/stored-schema.ts'

/** Names of the entries of a backup, in their order; the data comes between the first and the last. */
export const ENTRIES = {
  manifest: 'manifest.json',
  tables: 'tables/',
  media: 'media/',
  secrets: 'secrets.json',
  end: 'end.json',
} as const

const FORMAT = 'cadastre backup'
const FORMAT_VERSION = 1

/** What has to be known before the rows are read. */
export interface Manifest {
  /** Of the program that wrote it. */
  readonly program: string
  readonly created: string
  /** Without defaults: those are SQL, and what is restored brings no statements along. */
  readonly tables: Readonly<Record<string, StoredTable>>
  /** Steps of migration that had run. */
  readonly steps: readonly string[]
  /** The last number that each table's sequence has given. */
  readonly sequences: Readonly<Record<string, number>>
  /** Fingerprints of the secrets without which tokens cannot be checked, by their names. */
  readonly fingerprints: Readonly<Record<string, string>>
}

/** How much there was: a backup that ends without it is not whole. */
export interface End {
  readonly rows: Readonly<Record<string, number>>
  readonly media: number
}

export const writeManifest = (manifest: Manifest): string =>
  JSON.stringify({ format: FORMAT, version: FORMAT_VERSION, ...manifest }, null, 1)

/** Throws ConfigurationError for what is no manifest, or one of a later program. */
export function parseManifest(file: string, text: string): Manifest {
  const found = parseObject(text)
  if (found?.format !== FORMAT) {
    throw new ConfigurationError(`${file} is no backup of this program.`)
  }
  if (found.version !== FORMAT_VERSION) {
    throw new ConfigurationError(
      `${file} was written by version ${String(found.program)} in a form that this version does not know: restore it with that one.`,
    )
  }
  // Written by writeManifest, which the two checks above have told.
  const manifest = found as unknown as Manifest
  for (const [name, { columns }] of Object.entries(manifest.tables)) {
    const isPlain = Object.values(columns).every(
      (column) => TYPE.test(column.type) && column.default === undefined,
    )
    if (!isPlain) throw new ConfigurationError(`${file} has a table ${name} that is none.`)
  }
  return manifest
}

/** Types stand in statements as they are: numeric(8,4), text[], timestamp with time zone. */
const TYPE = /^[a-z][a-z0-9_ ]*(\(\d+(,\s?\d+)?\))?(\[\])*$/

/** Throws ConfigurationError where it is not the end of a backup. */
export function parseEnd(file: string, text: string): End {
  const found = parseObject(text)
  if (typeof found?.rows !== 'object' || typeof found.media !== 'number') {
    throw new ConfigurationError(`${file} is damaged: its end cannot be read.`)
  }
  return found as unknown as End // written beside the manifest, by the same program
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}
