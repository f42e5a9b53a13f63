import { ConfigurationError } from '../../base/errors.ts'
import type { StoredTable } from '../../db/migrate/stored-schema.ts'

/** Names of the entries of a backup, in order; the data entries come between the first and the last. */
export const ENTRIES = {
  manifest: 'manifest.json',
  tables: 'tables/',
  media: 'media/',
  scripts: 'scripts/',
  secrets: 'secrets.json',
  end: 'end.json',
} as const

const FORMAT = 'cadastre backup'
const FORMAT_VERSION = 1

/** Information that is needed before rows can be read. */
export interface Manifest {
  /** Version of the program that wrote the backup. */
  readonly program: string
  readonly created: string
  /** Without defaults: those are SQL, and a restore must not run statements from a file. */
  readonly tables: Readonly<Record<string, StoredTable>>
  /** Names of the migration steps that had run. */
  readonly steps: readonly string[]
  /** Last value of each table's sequence. */
  readonly sequences: Readonly<Record<string, number>>
  /** Fingerprints, by name, of the secrets that are needed to check tokens. */
  readonly fingerprints: Readonly<Record<string, string>>
}

/** Number of rows and files: a backup without this entry is incomplete. */
export interface End {
  readonly rows: Readonly<Record<string, number>>
  readonly media: number
  /** Backups of earlier versions have none. */
  readonly scripts?: number
}

export const writeManifest = (manifest: Manifest): string =>
  JSON.stringify({ format: FORMAT, version: FORMAT_VERSION, ...manifest }, null, 1)

/** Throws ConfigurationError for text that is not a manifest, or for the manifest of a later program. */
export function parseManifest(file: string, text: string): Manifest {
  const content = parseObject(text)
  if (content?.format !== FORMAT) {
    throw new ConfigurationError(`${file} is not a backup of this program.`)
  }
  if (content.version !== FORMAT_VERSION) {
    throw new ConfigurationError(
      `${file} was written by version ${String(content.program)} in a format that this version does not support: restore it with that version.`,
    )
  }
  // The two checks above have shown that writeManifest wrote it.
  const manifest = content as unknown as Manifest
  for (const [name, { columns }] of Object.entries(manifest.tables)) {
    const isPlain = Object.values(columns).every((column) => TYPE.test(column.type) && column.default === undefined)
    if (!isPlain) throw new ConfigurationError(`${file} has a table ${name}, which is not a table of this program.`)
  }
  return manifest
}

/** Column types become part of statements: numeric(8,4), text[], timestamp with time zone. */
const TYPE = /^[a-z][a-z0-9_ ]*(\(\d+(,\s?\d+)?\))?(\[\])*$/

/** Throws ConfigurationError if the text is not the end of a backup. */
export function parseEnd(file: string, text: string): End {
  const content = parseObject(text)
  if (typeof content?.rows !== 'object' || typeof content.media !== 'number') {
    throw new ConfigurationError(`${file} is damaged: its end cannot be read.`)
  }
  return content as unknown as End // written next to the manifest, by the same program
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}
