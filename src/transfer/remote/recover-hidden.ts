import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import { EXTRA } from '../collections.ts'
import { HIDDEN_FIELDS } from '../extra.ts'
import { readLines } from '../read-lines.ts'
import type { Client } from './client.ts'
import { extentOf, idsWhere } from './pages.ts'
import { collectionFile, writeJsonLines } from './work-directory.ts'

/** Hidden columns that can be inferred, by endpoint. */
export const RECOVERED: Readonly<Record<string, readonly string[]>> = {
  'users/users': ['is_superuser'],
  'dcim/module-bays': ['parent_id'],
  'extras/notifications': ['object_repr'],
}

/** Infers values that responses do not contain from other values, and adds them to the data set. */
export async function recoverHidden(client: Client, directory: string): Promise<void> {
  const rows: JsonObject[] = []
  for (const id of await superusers(client, directory)) {
    rows.push({ endpoint: 'users/users', id, fields: { is_superuser: true } })
  }
  for (const [id, parent] of await parentsOfBays(directory)) {
    rows.push({ endpoint: 'dcim/module-bays', id, fields: { parent_id: parent } })
  }
  for await (const { id = null, display = '' } of objectsOf(directory, 'extras/notifications')) {
    rows.push({ endpoint: 'extras/notifications', id, fields: { object_repr: display } })
  }
  for await (const { id = null, last_updated = null } of objectsOf(directory, 'core/data-files')) {
    // The timestamp is lost but required: the last known update of the file is an upper bound.
    rows.push({ endpoint: 'core/data-files', id, fields: { created: last_updated } })
  }
  await writeJsonLines(join(directory, EXTRA, `${HIDDEN_FIELDS}.jsonl.gz`), rows)
}

/** Found by their filter; a service that ignored it would make all users superusers, so the result is checked. */
async function superusers(client: Client, directory: string): Promise<readonly number[]> {
  const endpoint = 'users/users'
  if (!existsSync(collectionFile(directory, endpoint))) return []
  const [all, yes, no] = await Promise.all([
    extentOf(client, endpoint),
    idsWhere(client, endpoint, { is_superuser: 'true' }),
    idsWhere(client, endpoint, { is_superuser: 'false' }),
  ])
  return yes.length + no.length === all.count ? yes : []
}

/** The parent of a module's bay is the bay that contains the module. */
async function parentsOfBays(directory: string): Promise<ReadonlyMap<number, number>> {
  const places = new Map<number, number>()
  for await (const { id, module_bay } of objectsOf(directory, 'dcim/modules')) {
    const bay = idOf(module_bay)
    if (typeof id === 'number' && bay !== undefined) places.set(id, bay)
  }
  const parents = new Map<number, number>()
  for await (const { id, module } of objectsOf(directory, 'dcim/module-bays')) {
    const parent = places.get(idOf(module) ?? 0)
    if (typeof id === 'number' && parent !== undefined) parents.set(id, parent)
  }
  return parents
}

/** Objects of a downloaded collection; none if it was left out. */
export async function* objectsOf(directory: string, endpoint: string): AsyncGenerator<JsonObject> {
  const path = collectionFile(directory, endpoint)
  if (!existsSync(path)) return
  for await (const { object } of readLines(path, `${endpoint}.jsonl.gz`)) yield object
}

const idOf = (value: JsonObject[string] | undefined): number | undefined =>
  isJsonObject(value) && typeof value.id === 'number' ? value.id : undefined
