import type { Messages } from '../../base/errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'
import type { WriteContext } from '../context.ts'
import type { PendingReference } from '../draft.ts'
import { resolvePending } from '../parse/references.ts'

/**
 * The bodies with ids in place of attributes for objects named by `…_type` and `…_id`, such as the scope of a prefix or
 * the end of a cable. `refuse` receives the position of a body, and the field whose object is not found; the field
 * stays unresolved.
 */
export async function withTypedReferences(
  context: WriteContext,
  bodies: readonly JsonObject[],
  refuse: (position: number, field: string, messages: Messages) => void,
): Promise<readonly JsonObject[]> {
  const pending: PendingReference[][] = []
  const { models } = context.service.registry
  const prepare = (value: Json, field: string, position: number, depth = 0): Json => {
    if (Array.isArray(value)) return value.map((item) => prepare(item, field, position, depth))
    if (!isJsonObject(value) || !namesByType(value)) return value
    const copy: Record<string, Json> = {}
    for (const [name, item] of Object.entries(value)) {
      const attributes = prepare(item, field === '' ? name : field, position, depth + 1)
      copy[name] = attributes
      const type = name.endsWith('_id') ? value[name.replace(/_id$/, '_type')] : undefined
      const to = typeof type === 'string' ? models.get(type) : undefined
      if (!to || !isJsonObject(attributes)) continue
      pending[depth] = pending[depth] ?? []
      pending[depth].push({
        to,
        items: [{ attributes }],
        settle: ([id]) => {
          copy[name] = id ?? null
        },
        refuse: (messages) => refuse(position, field === '' ? name : field, messages),
      })
    }
    return copy
  }
  const prepared = bodies.map((body, position) => prepare(body, '', position) as JsonObject)
  // Attributes may name further objects by type: the innermost are resolved first.
  for (const level of pending.toReversed()) await resolvePending(context, level ?? [])
  return prepared
}

/** Whether the value contains an object in place of an id; otherwise the body need not be copied. */
function namesByType(value: Json): boolean {
  if (Array.isArray(value)) return value.some(namesByType)
  if (!isJsonObject(value)) return false
  for (const name in value) {
    const attribute = value[name]
    if (typeof attribute !== 'object' || attribute === null) continue
    if (name.endsWith('_id') || namesByType(attribute)) return true
  }
  return false
}
