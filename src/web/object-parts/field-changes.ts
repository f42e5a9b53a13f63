import type { ApiRequest } from '../../api/api-request.ts'
import { genericPart } from '../../schema/generic-keys.ts'
import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { fieldLabel, unitAt, valueLabel } from '../components/field-label.ts'
import { humanize } from '../components/humanize.ts'
import { type Content, type Html, html } from '../html.ts'
import { translate, translateLabel } from '../texts/translate.ts'
import { type RecordedValue, recordedValues, typeNames } from './change-values.ts'
import { type CustomFieldDefinition, definitionsOf } from './custom-field-panels.ts'

interface Difference {
  readonly label: string
  /** Undefined if there was no object before the change, or if the reader may not see it. */
  readonly before: RecordedValue | undefined
  /** Undefined if there is no object after the change, or if the reader may not see it. */
  readonly after: RecordedValue | undefined
}

/** The fields that each change record has changed, by the id of the record, with readable values. */
export async function fieldChanges(
  request: ApiRequest,
  records: readonly JsonObject[],
): Promise<ReadonlyMap<number, readonly ChangedField[]>> {
  const { registry } = request.service
  const types = await typeNames(request.service)
  const models = new Set(records.flatMap((record) => registry.models.get(String(record.changed_object_type)) ?? []))
  const customFields = new Map(
    await Promise.all([...models].map(async (model) => [model, await definitionsOf(request.service, model)] as const)),
  )
  const differences = new Map(
    records.map((record) => [Number(record.id), differencesIn(registry, types, customFields, record)]),
  )
  const all = [...differences.values()]
    .flat()
    .flatMap(({ before, after }) => [before, after].filter((value) => value !== undefined))
  const { show } = await recordedValues(request, all)
  return new Map(
    [...differences].map(([id, fieldList]) => [
      id,
      fieldList.map(({ label, before, after }) => ({
        label,
        before: before && show(before),
        after: after && show(after),
      })),
    ]),
  )
}

function differencesIn(
  registry: Registry,
  types: ReadonlyMap<number, string>,
  customFields: ReadonlyMap<Model, readonly CustomFieldDefinition[]>,
  record: JsonObject,
): readonly Difference[] {
  const model = registry.models.get(String(record.changed_object_type))
  const [before, after] = [valuesIn(record.prechange_data), valuesIn(record.postchange_data)]
  const names = namesOfChanges(model, before, after)
  const parts = new Map(names.map((name) => [partOf(model, name), name]))
  return [...parts].map(([key, name]): Difference => {
    const [relation] = key.split(' ')
    const part = model && genericPart(model, name)
    const custom = model && customFields.get(model)?.find((definition) => CUSTOM + definition.name === name)
    const valueIn = (values: JsonObject): RecordedValue =>
      part && part.part !== 'object'
        ? {
            field: undefined,
            value: values[part.keys.id] ?? null,
            target: registry.models.get(types.get(Number(values[part.keys.type])) ?? ''),
          }
        : {
            ...{ field: model?.fields.get(name), value: values[name] ?? null, custom },
            unit: model && unitAt(registry, model, name, values),
          }
    return {
      label: custom?.label || changedFieldLabel(registry, model, relation ?? name),
      before: isEmpty(before) ? undefined : valueIn(before),
      after: isEmpty(after) ? undefined : valueIn(after),
    }
  })
}

const namesOfChanges = (model: Model | undefined, before: JsonObject, after: JsonObject): readonly string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    // Counters follow from changes to other objects.
    (name) => model?.fields.get(name)?.kind !== 'counter' && !isSame(before[name], after[name]),
  )

/** The values before and after a change by the names of the fields that differ, as the record contains them. */
export function rawChanges(registry: Registry, record: JsonObject): ReadonlyMap<string, readonly [Json, Json]> {
  const model = registry.models.get(String(record.changed_object_type))
  const [before, after] = [valuesIn(record.prechange_data), valuesIn(record.postchange_data)]
  return new Map(
    namesOfChanges(model, before, after).map((name) => [name, [before[name] ?? null, after[name] ?? null]]),
  )
}

const isEmpty = (values: JsonObject): boolean => Object.keys(values).length === 0

/** To readers, the type and the id of a generic relation are one field. */
const partOf = (model: Model | undefined, name: string): string => (model && genericPart(model, name)?.relation) ?? name

/** The label of a field in the list of changes to an object. */
export function changedFieldLabel(registry: Registry, model: Model | undefined, name: string): string {
  if (name.startsWith(CUSTOM)) return humanize(name.slice(CUSTOM.length))
  return model ? valueLabel(registry, model, name, fieldLabel(registry, model, name)) : translateLabel(humanize(name))
}

const CUSTOM = 'custom_fields.'

/** The values of a record, with those of custom fields listed separately. */
function valuesIn(data: Json | undefined): JsonObject {
  if (!isJsonObject(data)) return {}
  const { custom_fields: custom, ...values } = data
  if (!isJsonObject(custom)) return values
  return {
    ...values,
    ...Object.fromEntries(Object.entries(custom).map(([name, value]) => [CUSTOM + name, value])),
  }
}

/** Whether the record shows the same value: nothing, an empty text and an empty list look alike. */
const isSame = (left: Json | undefined, right: Json | undefined): boolean =>
  JSON.stringify(plain(left)) === JSON.stringify(plain(right))

const plain = (value: Json | undefined): Json =>
  value === undefined || value === '' || (Array.isArray(value) && value.length === 0) ? null : value

/** A changed field: its value before and after the change; undefined on the side that has no object. */
export interface ChangedField {
  readonly label: string
  readonly before: Content | undefined
  readonly after: Content | undefined
}

/** The changed fields of a change, one per row; with one value each if the object was created or deleted. */
export function changedFields(changes: readonly ChangedField[]): Html {
  if (changes.length === 0) return html`<p class="muted">${translate('No field was changed.')}</p>`
  const [hasBefore, hasAfter] = [
    changes.some(({ before }) => before !== undefined),
    changes.some(({ after }) => after !== undefined),
  ]
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${translate('Changed fields')}"><table class="diff"><thead><tr><th scope="col">${translate('Field')}</th>${hasBefore && html`<th scope="col">${translate('Before')}</th>`}${hasAfter && html`<th scope="col">${translate('After')}</th>`}</tr></thead>
<tbody>${changes.map(
    ({ label, before, after }) =>
      html`<tr><th scope="row">${label}</th>${hasBefore && html`<td class="before">${before}</td>`}${hasAfter && html`<td class="after">${after}</td>`}</tr>`,
  )}</tbody></table></div>`
}

/** A summary of a change in the form of a change record with this id. */
export function recordOf(
  id: number,
  { type, action, fields }: { readonly type: string; readonly action: Json | undefined; readonly fields: JsonObject },
): JsonObject {
  const values = (part: 'before' | 'after'): JsonObject =>
    Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [name, isJsonObject(value) ? (value[part] ?? null) : null]),
    )
  return {
    id,
    changed_object_type: type,
    prechange_data: action === 'create' ? null : values('before'),
    postchange_data: action === 'delete' ? null : values('after'),
  }
}

/** As `changedFields`, folded behind their number: of an object that was created or deleted, all fields have changed. */
export const foldedFields = (fields: readonly ChangedField[]): Html =>
  html`<details><summary>${translate('{count} field|{count} fields', { count: fields.length })}</summary>${changedFields(fields)}</details>`
