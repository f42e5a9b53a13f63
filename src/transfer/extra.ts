import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isJsonObject, type JsonObject } from '../schema/json.ts'
import { BrokenRow } from './broken-row.ts'
import { EXTRA } from './collections.ts'
import { readLines } from './read-lines.ts'

/** Fields that the API does not show, by endpoint and id: hidden ones, and secrets. */
export type ExtraFields = ReadonlyMap<string, ReadonlyMap<number, JsonObject>>

/** Values that filters and behaviour depend on. */
export const HIDDEN_FIELDS = 'hidden-fields'
/** Passwords and tokens in plain text. */
export const SECRETS = 'secrets'

/** Content of a file below `extra/`; empty if the data set has none. */
export async function readExtra(directory: string, name: typeof HIDDEN_FIELDS | typeof SECRETS): Promise<ExtraFields> {
  const all = new Map<string, Map<number, JsonObject>>()
  const file = [`${EXTRA}/${name}.jsonl.gz`, `${EXTRA}/${name}.jsonl`].find((candidate) =>
    existsSync(join(directory, candidate)),
  )
  if (file === undefined) return all
  for await (const { number, object } of readLines(join(directory, file), file)) {
    const { endpoint, id, fields } = object
    if (typeof endpoint !== 'string' || typeof id !== 'number' || !isJsonObject(fields)) {
      throw new BrokenRow(file, number, 'endpoint, id and fields are expected')
    }
    const fieldsById = all.get(endpoint) ?? new Map<number, JsonObject>()
    fieldsById.set(id, { ...fieldsById.get(id), ...fields })
    all.set(endpoint, fieldsById)
  }
  return all
}
