import { invalid, type Messages } from '../../errors.ts'
import type { JsonObject } from '../../schema/json.ts'
import { keyOfObject } from '../../schema/natural-key.ts'
import type { Model } from '../../schema/registry.ts'
import type { WriteContext } from '../context.ts'
import { type Upserted, type UpsertOutcome, upsertObjects } from '../upsert/upsert-objects.ts'
import { type Desired, desiredObjects } from './document.ts'
import { levelsOf } from './levels.ts'
import { withIdsByEnds } from './objects-by-ends.ts'
import { inOrder, type Pass } from './order.ts'
import { withTypedReferences } from './references-by-type.ts'

/** An object of a document after it has been applied. */
export interface Applied {
  readonly model: Model
  readonly id: number
  readonly outcome: UpsertOutcome
}

/**
 * Makes the objects of a document what it says: creates, changes, or leaves them alone. Returns them in the order of the writes. Throws
 * `invalid` with the errors by object type, in the order of the document.
 */
export async function applyDocument(
  context: WriteContext,
  document: unknown,
): Promise<readonly Applied[]> {
  const desired = desiredObjects(context.service.registry, document)
  const passes = inOrder(context.service.registry, desired)
  const applied = new Map<JsonObject, Applied>()
  for (const pass of passes) {
    for (const level of levelsOf(pass.model, pass.bodies)) {
      const bodies = level.map((body) => [body, without(body, pass.postponed)] as const)
      await applyBodies(context, desired, pass.model, bodies, applied)
    }
  }
  for (const pass of passes) await applyPostponed(context, desired, pass, applied)
  return [...applied.values()]
}

const without = (body: JsonObject, names: readonly string[]): JsonObject =>
  names.length === 0
    ? body
    : Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)))

async function applyPostponed(
  context: WriteContext,
  desired: Desired,
  { model, bodies, postponed }: Pass,
  applied: Map<JsonObject, Applied>,
): Promise<void> {
  const later = bodies.flatMap((body) => {
    const id = applied.get(body)?.id
    const fields = Object.entries(body).filter(([name]) => postponed.includes(name))
    return id === undefined || fields.length === 0
      ? []
      : [[body, { id, ...Object.fromEntries(fields) }] as const]
  })
  await applyBodies(context, desired, model, later, applied)
}

/** Bodies of a document, each with the form in which it is written. */
type Written = readonly (readonly [JsonObject, JsonObject])[]

async function applyBodies(
  context: WriteContext,
  desired: Desired,
  model: Model,
  bodies: Written,
  applied: Map<JsonObject, Applied>,
): Promise<void> {
  const place = new Map((desired.get(model) ?? []).map((body, index) => [body, index]))
  const refused = (errors: ReadonlyMap<JsonObject, Messages>): Error => {
    const list: Messages[] = [...place.keys()].map((body) => errors.get(body) ?? {})
    return invalid({ objects: { [model.name]: list } })
  }
  const errors = new Map<JsonObject, Messages>()
  const resolved = await withTypedReferences(
    context,
    bodies.map(([, body]) => body),
    (position, messages) => {
      const body = bodies[position]?.[0]
      if (body) errors.set(body, messages)
    },
  )
  if (errors.size > 0) throw refused(errors)
  const sent = await withIdsByEnds(context, model, resolved)
  const groups = Map.groupBy(
    bodies.map(([original], position) => ({ original, body: sent[position] ?? {} })),
    ({ original, body }) => {
      const key = 'id' in body ? ['id'] : keyOfObject(model, body)
      if (!key) errors.set(original, { non_field_errors: [NO_KEY] })
      return key?.join(',') ?? ''
    },
  )
  if (errors.size > 0) throw refused(errors)
  for (const [key, members] of groups) {
    const match = key.split(',')
    const absent = Object.fromEntries(match.map((name) => [name, null]))
    const results = await upsertObjects(
      context,
      model,
      members.map(({ body }) => ({ ...absent, ...body })),
      {
        match,
        refusal: (messages) =>
          refused(
            new Map(
              members.flatMap(({ original }, index) => {
                const each = messages[index]
                return each ? [[original, each] as const] : []
              }),
            ),
          ),
      },
    )
    members.forEach(({ original }, index) => {
      const result = results[index]
      if (result) applied.set(original, merged(applied.get(original), { model, ...result }))
    })
  }
}

const NO_KEY = 'The object has no values that identify it.'

/** The outcome of both passes of an object. */
const merged = (first: Applied | undefined, last: { readonly model: Model } & Upserted): Applied =>
  first && (first.outcome === 'created' || last.outcome === 'unchanged') ? first : last
