import type { ComputedField } from '../../schema/field.ts'
import { isJsonObject } from '../../schema/json.ts'
import { isRefused, type Refused, refuse } from '../../schema/outcome.ts'
import type { Registry } from '../../schema/registry.ts'
import type { Draft, ReferenceItem } from '../draft.ts'
import { asIds } from '../rows.ts'
import { parseReference } from './reference-input.ts'

type Joins = NonNullable<ComputedField['joins']>

/** Parses one list for several many-to-many fields: each gets the objects of its model, or none. */
export function parseJoined(registry: Registry, draft: Draft, name: string, joins: Joins, input: unknown): void {
  if (input === undefined) return
  if (input !== null && !Array.isArray(input)) {
    draft.errors.set(name, ['Expected a list of items.'])
    return
  }
  const items = (input ?? []).map((item: unknown) => parseItem(joins, item))
  const complaint = items.find(isRefused)
  if (complaint) {
    draft.errors.set(name, complaint.refused)
    return
  }
  for (const [to, field] of Object.entries(joins)) {
    draft.sent.add(field)
    const kept = new Set(asIds(draft.previous?.[field]))
    draft.references.push({
      to: registry.model(to),
      items: items.flatMap((item) => ('type' in item && item.type === to ? [visible(item.reference, kept)] : [])),
      settle: (ids) => {
        draft.next[field] = [...new Set(ids)]
      },
      refuse: (messages) => draft.errors.set(name, messages),
    })
  }
}

/** Only attributes are limited to what the user may view; objects that the list already contains may stay. */
const visible = (item: ReferenceItem, kept: ReadonlySet<number>): ReferenceItem =>
  'id' in item && !kept.has(item.id) ? { attributes: { id: item.id } } : item

/** Parses an object with its type; documents name both as they do elsewhere, by `object_type` and `object_id`. */
function parseItem(
  joins: Joins,
  item: unknown,
): { readonly type: string; readonly reference: ReferenceItem } | Refused {
  const { app_label: app, model, object_type: name, object_id: id } = isJsonObject(item) ? item : {}
  const type = name ?? (app === undefined || model === undefined ? undefined : `${app}.${model}`)
  if (!isJsonObject(item) || type === undefined) return refuse('Name each object by "app_label", "model" and "id".')
  if (typeof type !== 'string' || !Object.hasOwn(joins, type)) {
    return refuse(`The object type ${type} cannot be chosen here.`)
  }
  const reference = parseReference('idOrAttributes', id ?? item.id)
  return isRefused(reference) ? reference : { type, reference }
}
