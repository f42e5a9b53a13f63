import { invalid, type Messages } from '../../base/errors.ts'
import { isJsonObject } from '../../schema/json.ts'
import { ignoresCase } from '../../schema/natural-key.ts'
import { REQUIRED } from '../../schema/outcome.ts'
import type { Model } from '../../schema/registry.ts'
import type { WriteContext } from '../context.ts'
import type { PendingReference } from '../draft.ts'
import { resolvePending } from '../parse/references.ts'

/** The object of a body: the id of an existing one, undefined for a new one, or the reason why it is unclear. */
export type MatchedObject =
  | { readonly id: number | undefined }
  /** `candidates`: two of the objects, if several match. */
  | { readonly messages: Messages; readonly candidates?: readonly number[] }

/** Names of `match=name,site`. Throws `invalid` for a field that cannot identify objects of the model. */
export function matchFields(model: Model, text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.filter((name) => !isMatchable(model, name))
  if (unknown.length > 0) {
    throw invalid({
      match: [`Objects of this type cannot be matched by ${unknown.join(', ') || 'no field'}.`],
    })
  }
  return names
}

/** Whether objects of the model can be found by the values of the field. */
export function isMatchable(model: Model, name: string): boolean {
  const step = name.startsWith('_') ? undefined : model.steps.get(name)
  if (step?.kind !== 'column' && step?.kind !== 'foreignKey') return false
  const { field } = step.column
  return !('writeOnly' in field && field.writeOnly) && !('hidden' in field && field.hidden)
}

/**
 * Finds the objects of the bodies by the values of these fields, with one query for all; in the same order. Only
 * objects that the user may view are found. If two bodies match the same object, the second one is refused.
 */
export async function matchObjects(
  context: WriteContext,
  model: Model,
  bodies: readonly unknown[],
  names: readonly string[],
): Promise<readonly MatchedObject[]> {
  const matched = new Map<number, MatchedObject>()
  const requested = new Set<string>()
  const pending = bodies.flatMap((body, position): PendingReference[] => {
    const attributes = attributesOf(model, body, names)
    if ('messages' in attributes) {
      matched.set(position, attributes)
      return []
    }
    const key = JSON.stringify(attributes)
    if (requested.has(key) && hasValue(attributes.attributes)) {
      matched.set(position, { messages: { non_field_errors: [SAME] } })
      return []
    }
    requested.add(key)
    return [
      {
        to: model,
        items: [attributes],
        settle: ([id]) => matched.set(position, { id }),
        refuse: (messages, { isAmbiguous, candidates = [] }) =>
          matched.set(
            position,
            isAmbiguous ? { messages: { non_field_errors: messages }, candidates } : { id: undefined },
          ),
      },
    ]
  })
  await resolvePending(context, pending)
  const matches = bodies.map((_, position) => matched.get(position) ?? { id: undefined })
  return withoutRepeats(matches)
}

/** Bodies without any value may belong to several new objects. */
const hasValue = (attributes: Readonly<Record<string, unknown>>): boolean =>
  Object.values(attributes).some((value) => value !== null)

const SAME = 'Another object of this request matches the same object.'

/** The matches, with an error for each object that an earlier body also matches. */
export function withoutRepeats(matches: readonly MatchedObject[]): readonly MatchedObject[] {
  const seen = new Set<number>()
  return matches.map((match) => {
    if ('messages' in match || match.id === undefined) return match
    if (seen.has(match.id)) return { messages: { non_field_errors: [SAME] } }
    seen.add(match.id)
    return match
  })
}

function attributesOf(
  model: Model,
  body: unknown,
  names: readonly string[],
): { readonly attributes: Readonly<Record<string, unknown>> } | { readonly messages: Messages } {
  if (!isJsonObject(body)) {
    return { messages: { non_field_errors: ['Expected an object with named fields.'] } }
  }
  const missing = names.filter((name) => body[name] === undefined)
  if (missing.length > 0) {
    return { messages: Object.fromEntries(missing.map((name) => [name, [REQUIRED]])) }
  }
  return {
    attributes: Object.fromEntries(
      names.map((name) => {
        const value = body[name]
        const isFolded = typeof value === 'string' && ignoresCase(model, name)
        return [isFolded ? `${name}__iexact` : name, value]
      }),
    ),
  }
}
