import type { Transaction } from '../../db/database.ts'
import { PLAIN_FORM } from '../../read/serialise/plan.ts'
import { projectionOf } from '../../read/serialise/projection.ts'
import { fetchObjects } from '../../read/serialise/read-objects.ts'
import { dataWithin } from '../../read/serialise/read-source.ts'
import { namesInBody } from '../../schema/generic-keys.ts'
import type { JsonObject } from '../../schema/json.ts'
import { naturalKeys } from '../../schema/natural-key.ts'
import { parseRendered } from '../../schema/parse-rendered.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { isWritable } from '../../schema/writable.ts'
import type { Service } from '../../service.ts'
import { sql } from '../../sql/fragment.ts'
import { identifyingEnds } from '../../write/apply/objects-by-ends.ts'
import { isCollection } from '../collections.ts'
import { rowPages } from '../export-directory.ts'

/** Objects by their model's name and id, in the API's form, with the fields of a body or a key. */
export type IdentifiedObjects = ReadonlyMap<string, ReadonlyMap<number, JsonObject>>

/** All objects of models whose objects can be identified without their ids: a consistent snapshot. */
export async function readInventory(service: Service): Promise<IdentifiedObjects> {
  const models = [...service.registry.models.values()].filter(
    (model) => isCollection(model) && isIdentified(model, service.registry),
  )
  return await service.database.transaction(async (transaction) => {
    await transaction.execute(sql`set transaction isolation level repeatable read, read only`)
    const inventory = new Map<string, ReadonlyMap<number, JsonObject>>()
    for (const model of models) {
      inventory.set(model.name, await readModel(service, transaction, model))
    }
    return inventory
  })
}

/** Whether objects of the model have values that identify them. */
export const isIdentified = (model: Model, registry: Registry): boolean =>
  naturalKeys(model).length > 0 ||
  model.definition.naturalKey !== undefined ||
  identifyingEnds(model, registry) !== undefined

async function readModel(
  service: Service,
  transaction: Transaction,
  model: Model,
): Promise<ReadonlyMap<number, JsonObject>> {
  const projection = projectionOf(service, model, {
    fields: ['id', ...shownFields(model)],
    brief: false,
    excludeContext: true,
    form: PLAIN_FORM,
  })
  const source = dataWithin(service, transaction)
  const objects = new Map<number, JsonObject>()
  for await (const rows of rowPages(transaction, model, sql`t.id`)) {
    const texts = await fetchObjects(source, rows.map(Number), projection, '')
    for (const [id, text] of texts) objects.set(id, parseRendered(model, text) as JsonObject) // a response of the API
  }
  return objects
}

const shownFields = (model: Model): readonly string[] => [
  ...[...model.fields].flatMap(([name, field]) => (isWritable(field) ? namesInBody(model, name) : [])),
  ...naturalKeys(model).flatMap(({ fields }) => fields),
]
