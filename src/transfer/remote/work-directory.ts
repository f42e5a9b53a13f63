import { createWriteStream, existsSync, readdirSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { ConfigurationError } from '../../base/errors.ts'
import { isJsonObject, type Json } from '../../schema/json.ts'

/** Origin of the files in a directory, so that a later run may continue with them. */
export interface Marker {
  /** Address of the service. */
  readonly source: string
  /** Start of the first run, ISO timestamp. */
  readonly begun: string
  /** Id of the source's newest change record that the files may not include; 0 for none. */
  readonly lastChange: number
}

const MARKER = 'download.json'

/**
 * The marker of a directory with a download of the same service; undefined for a new or empty directory. Throws
 * ConfigurationError for a directory with other content.
 */
export async function readMarker(directory: string, source: string): Promise<Marker | undefined> {
  if (!existsSync(directory) || readdirSync(directory).length === 0) return undefined
  const marker = parseMarker(await readFile(join(directory, MARKER), 'utf8').catch(() => ''))
  if (!marker) {
    throw new ConfigurationError(`${directory} contains other files; name an empty directory.`)
  }
  if (marker.source !== source) {
    throw new ConfigurationError(
      `${directory} contains data of ${marker.source}; name another directory, or delete it.`,
    )
  }
  return marker
}

/** Address of the service whose download a directory contains; undefined for any other directory. */
export const sourceOfDownload = async (directory: string): Promise<string | undefined> =>
  parseMarker(await readFile(join(directory, MARKER), 'utf8').catch(() => ''))?.source

export async function writeMarker(directory: string, marker: Marker): Promise<void> {
  // All data of the service will be in it.
  await mkdir(directory, { recursive: true, mode: 0o700 })
  await place(join(directory, MARKER), (path) => writeFile(path, `${JSON.stringify(marker)}\n`))
}

/** Path of a collection's file; an existing file is complete. */
export const collectionFile = (directory: string, endpoint: string): string => join(directory, `${endpoint}.jsonl.gz`)

/** Writes a file of JSON lines, compressed. */
export const writeJsonLines = (path: string, rows: AsyncIterable<Json> | Iterable<Json>) =>
  place(path, (part) => pipeline(Readable.from(linesOf(rows)), createGzip(), createWriteStream(part, { flush: true })))

/** Writes a file under a temporary name and renames it: under its own name it is complete. */
export async function place(path: string, write: (part: string) => Promise<void>): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const part = `${path}.part`
  await write(part)
  await rename(part, path)
}

async function* linesOf(rows: AsyncIterable<Json> | Iterable<Json>): AsyncGenerator<string> {
  for await (const row of rows) yield `${JSON.stringify(row)}\n`
}

function parseMarker(text: string): Marker | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (!isJsonObject(value)) return undefined
    const { source, begun, lastChange } = value
    const isMarker = typeof source === 'string' && typeof begun === 'string' && typeof lastChange === 'number'
    return isMarker ? { source, begun, lastChange } : undefined
  } catch {
    return undefined
  }
}
