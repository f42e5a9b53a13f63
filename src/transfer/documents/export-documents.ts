import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Document, isMap, isCollection as isNode, isScalar, isSeq } from 'yaml'
import type { JsonObject } from '../../schema/json.ts'
import { WRITTEN_SCALARS } from '../../schema/yaml-text.ts'
import type { Service } from '../../service.ts'
import { isApplied } from '../../write/apply/document.ts'
import { committedCustomFields } from '../../write/validate/custom-fields.ts'
import { inOrderOfText, isExported, ObjectBodies } from './object-bodies.ts'
import { isIdentified, readInventory } from './read-inventory.ts'

/** An inventory in the form of documents for `apply`. */
interface ExportedDocuments {
  /** Bodies by object type, in an order that does not depend on ids. */
  readonly objects: ReadonlyMap<string, readonly JsonObject[]>
  /** Object types that can be written, but not by documents. */
  readonly leftOut: readonly string[]
  /** Number of objects that cannot be identified, by object type. */
  readonly unidentified: ReadonlyMap<string, number>
}

/** The objects of the inventory as bodies of documents: references by attributes, no ids, no secrets, no derived values. */
export async function exportDocuments(service: Service): Promise<ExportedDocuments> {
  const { registry } = service
  const written = [...registry.models.values()].filter(isApplied)
  const isThere = (model: (typeof written)[number]) => isExported(model) && isIdentified(model, registry)
  const inventory = await readInventory(service)
  const customFields = new Map(
    await Promise.all(written.map(async (model) => [model, await committedCustomFields(service, model)] as const)),
  )
  const bodies = new ObjectBodies(registry, inventory, customFields)
  const objects = new Map<string, readonly JsonObject[]>()
  const unidentified = new Map<string, number>()
  for (const model of written.filter(isThere)) {
    const ids = [...(inventory.get(model.name)?.keys() ?? [])]
    const list = ids.map((id) => bodies.find(model, id)).filter((body) => body !== undefined)
    if (list.length > 0) objects.set(model.name, inOrderOfText(list))
    if (list.length < ids.length) unidentified.set(model.name, ids.length - list.length)
  }
  const leftOut = written.filter((model) => !isThere(model)).map(({ name }) => name)
  return { objects, leftOut, unidentified }
}

/** Puts each value of an object, and each custom field, on its own line. */
function printCompactly(object: unknown): void {
  for (const { key, value } of isMap(object) ? object.items : []) {
    if (isScalar(key) && key.value === 'custom_fields') printCompactly(value)
    else if (isNode(value)) value.flow = true
  }
}

/** YAML of a document with these objects: a line for each field of an object. */
export function documentText(objects: Iterable<readonly [string, readonly JsonObject[]]>): string {
  const document = new Document(
    { objects: Object.fromEntries(objects) },
    { aliasDuplicateObjects: false, customTags: (tags) => [WRITTEN_SCALARS, ...tags] },
  )
  const lists = document.get('objects')
  for (const { value: list } of isMap(lists) ? lists.items : []) {
    for (const object of isSeq(list) ? list.items : []) printCompactly(object)
  }
  return document.toString({ lineWidth: 0, flowCollectionPadding: false })
}

/**
 * Writes a file for each object type, `dcim.site.yaml`, in the directory. Files of types without objects are removed;
 * other files are kept.
 */
export async function writeDocuments(
  directory: string,
  { registry }: Service,
  { objects }: ExportedDocuments,
): Promise<void> {
  await mkdir(directory, { recursive: true })
  for (const type of registry.models.keys()) {
    const file = join(directory, `${type}.yaml`)
    const list = objects.get(type)
    if (list) writeFileSync(file, documentText([[type, list]]))
    else if (existsSync(file)) rmSync(file)
  }
}
