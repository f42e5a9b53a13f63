import type { ApiRequest } from '../../api/api-request.ts'
import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import type { Control } from '../components/control.ts'
import { humanize } from '../components/humanize.ts'
import { visibleObjects } from '../data/page-objects.ts'
import type { BodyValue, FormBody } from '../forms/form-body.ts'
import { translate, translateLabel } from '../texts/translate.ts'

/** A change of a field that starts from the present value of each object. */
interface ValueChange {
  readonly field: string
  readonly apply: (value: Json, entered: Json) => Json
}

/** The controls that add objects to a relation and remove objects from it; `control` replaces all of them. */
export const memberControls = (control: Control): readonly Control[] =>
  control.sentAs === 'ids'
    ? [
        { ...control, name: `add_${control.name}`, label: addLabel(control.label) },
        { ...control, name: `remove_${control.name}`, label: removeLabel(control.label) },
      ]
    : []

const addLabel = (field: string): string => translate('Add {model}', { model: field })
const removeLabel = (field: string): string => translate('Remove {field}', { field })

/** The control for the length of a network. */
export const lengthControl = (name: string): Control => ({
  name,
  label: translateLabel(humanize(name)),
  input: { kind: 'text', type: 'number', value: '' },
  sentAs: 'number',
})

/** The changes that the bulk edit form of the model offers besides new values, by the name of their control. */
function changesOf(registry: Registry, model: Model): ReadonlyMap<string, ValueChange> {
  const { networkLengths = {}, bulkEdit = [] } = registry.view(model)
  const relations = bulkEdit
    .flatMap(({ fields }) => fields)
    .filter((name) => model.fields.get(name)?.kind === 'manyToMany')
  return new Map<string, ValueChange>([
    ...Object.entries(networkLengths).map(([name, field]) => [name, { field, apply: withLength }] as const),
    ...relations.flatMap((field) => [
      [`add_${field}`, { field, apply: withMembers }] as const,
      [`remove_${field}`, { field, apply: withoutMembers }] as const,
    ]),
  ])
}

const withLength = (network: Json, length: Json): Json => `${String(network).split('/')[0]}/${String(length)}`

const withMembers = (members: Json, added: Json): Json => [...new Set([...idsIn(members), ...idsIn(added)])]

const withoutMembers = (members: Json, removed: Json): Json => {
  const without = new Set(idsIn(removed))
  return idsIn(members).filter((id) => !without.has(id))
}

/** Ids of a list of ids or of objects. */
const idsIn = (list: Json): readonly Json[] =>
  Array.isArray(list) ? list.map((member) => (isJsonObject(member) ? (member.id ?? null) : member)) : []

/** One request body per object, from a bulk edit form. */
export async function bodiesOfObjects(
  request: ApiRequest,
  model: Model,
  ids: readonly number[],
  body: FormBody['body'],
): Promise<readonly ({ readonly id: number } & Readonly<Record<string, BodyValue>>)[]> {
  const changes = [...changesOf(request.service.registry, model)].filter(([name]) => Object.hasOwn(body, name))
  if (changes.length === 0) return ids.map((id) => ({ ...body, id }))
  const names = new Set(changes.map(([name]) => name))
  const same = Object.fromEntries(Object.entries(body).filter(([name]) => !names.has(name)))
  const fields = [...new Set(changes.map(([, { field }]) => field))]
  const objects = await visibleObjects(request, model, ids, ['id', ...fields])
  return ids.map((id) => ({ ...same, ...changed(objects.get(id) ?? {}, same, changes, body), id }))
}

function changed(
  object: JsonObject,
  same: FormBody['body'],
  changes: readonly (readonly [string, ValueChange])[],
  body: FormBody['body'],
): JsonObject {
  const values: Record<string, Json> = {}
  for (const [name, { field, apply }] of changes) {
    const value = values[field] ?? same[field] ?? object[field] ?? null
    values[field] = apply(value as Json, body[name] as Json) // these fields accept no files
  }
  return values
}
