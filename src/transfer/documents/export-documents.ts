import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { COLLECTION_STYLE, type Node } from 'js-yaml'
import type { JsonObject } from '../../schema/json.ts'
import { yamlText } from '../../schema/yaml-text.ts'
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

const valuesOf = (node: Node | undefined): readonly Node[] => {
  if (node?.kind === 'sequence') return node.items
  return node?.kind === 'mapping' ? node.items.map(({ value }) => value) : []
}

/** Puts each value of an object, and each custom field, on its own line. */
function printCompactly(object: Node): void {
  for (const { key, value } of object.kind === 'mapping' ? object.items : []) {
    if (key.kind === 'scalar' && key.value === 'custom_fields') printCompactly(value)
    else if (value.kind === 'mapping' || value.kind === 'sequence') value.style = COLLECTION_STYLE.FLOW
  }
}

/** YAML of a document with these objects: a line for each field of an object. */
export const documentText = (objects: Iterable<readonly [string, readonly JsonObject[]]>): string =>
  yamlText({ objects: Object.fromEntries(objects) }, (documents) => {
    const [lists] = valuesOf(documents[0]?.contents ?? undefined)
    for (const object of valuesOf(lists).flatMap(valuesOf)) printCompactly(object)
  })

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
