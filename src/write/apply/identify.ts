import type { Messages } from '../../base/errors.ts'
import type { JsonObject } from '../../schema/json.ts'
import { keyOfObject, keysInOrder } from '../../schema/natural-key.ts'
import { oncePer } from '../../schema/once-per.ts'
import type { Model } from '../../schema/registry.ts'
import type { WriteContext } from '../context.ts'
import { type MatchedObject, matchObjects, withoutRepeats } from '../upsert/match.ts'
import { withIdsByEnds } from './objects-by-ends.ts'
import { withTypedReferences } from './references-by-type.ts'

/** A body of a document, the form in which it is written, and its object. */
export interface Identified {
  readonly original: JsonObject
  readonly body: JsonObject
  readonly match: MatchedObject
}

interface IdentifyOptions {
  readonly postponed: readonly string[]
  readonly refused: (errors: ReadonlyMap<JsonObject, Messages>) => Error
}

const NO_KEY = 'The object has no values that identify it.'

/**
 * Finds the objects of the bodies. Throws the result of `refused` if a body names no object, or refers to missing
 * objects in a field that is not in `postponed`.
 */
export async function identifyBodies(
  context: WriteContext,
  model: Model,
  originals: readonly JsonObject[],
  { postponed, refused }: IdentifyOptions,
): Promise<readonly Identified[]> {
  const errors = new Map<JsonObject, Messages>()
  const resolved = await withTypedReferences(context, originals, (position, field, messages) => {
    const original = originals[position]
    if (original && !postponed.includes(field)) errors.set(original, { [field]: messages })
  })
  if (errors.size > 0) throw refused(errors)
  const sent = await withIdsByEnds(context, model, resolved)
  const groups = Map.groupBy(originals.keys(), (position) => {
    const body = sent[position] ?? {}
    const key = 'id' in body ? ['id'] : keyOfObject(model, body)
    const original = originals[position]
    if (!key && original) errors.set(original, { non_field_errors: [NO_KEY] })
    return key?.join(',') ?? ''
  })
  if (errors.size > 0) throw refused(errors)
  const bodies = new Map<number, JsonObject>()
  const matches = new Map<number, MatchedObject>()
  for (const [key, positions] of groups) {
    const names = key.split(',')
    const absent = Object.fromEntries(names.map((name) => [name, null]))
    const group = positions.map((position) => {
      const body = sent[position] ?? {}
      return names.every((name) => name in body) ? body : { ...absent, ...body }
    })
    const matched = await matchObjects(context, model, group, names)
    positions.forEach((position, index) => {
      bodies.set(position, group[index] ?? {})
      matches.set(position, matched[index] ?? { id: undefined })
    })
  }
  const distinct = withoutRepeats(originals.map((_, position) => matches.get(position) ?? { id: undefined }))
  return originals.map((original, position) => ({
    original,
    body: bodies.get(position) ?? {},
    match: distinct[position] ?? { id: undefined },
  }))
}

/**
 * Whether objects of the model are identified by other objects of the same model, such as a location by its parent:
 * these must be written first.
 */
export const isIdentifiedByOwn = oncePer((model: Model): boolean =>
  keysInOrder(model).some(({ fields }) =>
    fields.some((name) => {
      const field = model.fields.get(name)
      return field?.kind === 'foreignKey' && field.to === model.name
    }),
  ),
)
