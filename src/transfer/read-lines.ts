import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import { isJsonObject, type JsonObject, parseJson } from '../schema/json.ts'
import { BrokenRow } from './broken-row.ts'

/** An object of a data set with its position. */
export interface Line {
  /** Counted from 1. */
  readonly number: number
  readonly object: JsonObject
}

/**
 * Objects of a file with one JSON object per line, compressed if its name ends in .gz; `name` is used in messages.
 * Throws BrokenRow if a line is not a JSON object.
 */
export async function* readLines(path: string, name: string): AsyncGenerator<Line> {
  const bytes = createReadStream(path)
  const input = path.endsWith('.gz') ? bytes.pipe(createGunzip()) : bytes
  // A pipe does not forward errors.
  bytes.on('error', (error) => input.destroy(error))
  let number = 0
  try {
    for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      number += 1
      if (text.trim() !== '') yield { number, object: parse(text, name, number) }
    }
  } catch (error) {
    if (error instanceof BrokenRow) throw error
    throw new BrokenRow(name, number + 1, error instanceof Error ? error.message : String(error))
  } finally {
    bytes.destroy()
  }
}

function parse(text: string, name: string, number: number): JsonObject {
  let value: unknown
  try {
    value = parseJson(text)
  } catch (error) {
    throw new BrokenRow(name, number, error instanceof Error ? error.message : String(error))
  }
  if (!isJsonObject(value)) throw new BrokenRow(name, number, 'not a JSON object')
  return value
}
