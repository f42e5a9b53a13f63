import type { ApiRequest } from '../../api/api-request.ts'
import { genericPart } from '../../schema/generic-keys.ts'
import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { fieldLabel } from '../components/field-label.ts'
import { type Content, type Html, html } from '../components/html.ts'
import { humanize } from '../forms/fields/humanize.ts'
import { translate, translateLabel } from '../texts/translate.ts'
import { type RecordedValue, recordedValues, typeNames } from './change-values.ts'

interface Difference {
  readonly label: string
  readonly before: RecordedValue
  readonly after: RecordedValue
}

/** The fields that each change record has changed, by the id of the record, with readable values. */
export async function fieldChanges(
  request: ApiRequest,
  records: readonly JsonObject[],
): Promise<ReadonlyMap<number, readonly ChangedField[]>> {
  const { registry } = request.service
  const types = await typeNames(request.service)
  const differences = new Map(records.map((record) => [Number(record.id), differencesIn(registry, types, record)]))
  const all = [...differences.values()].flat().flatMap(({ before, after }) => [before, after])
  const { show } = await recordedValues(request, all)
  return new Map(
    [...differences].map(([id, each]) => [
      id,
      each.map(({ label, before, after }) => ({ label, before: show(before), after: show(after) })),
    ]),
  )
}

function differencesIn(
  registry: Registry,
  types: ReadonlyMap<number, string>,
  record: JsonObject,
): readonly Difference[] {
  const model = registry.models.get(String(record.changed_object_type))
  const [before, after] = [valuesIn(record.prechange_data), valuesIn(record.postchange_data)]
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => !isSame(before[name], after[name]),
  )
  const parts = new Map(names.map((name) => [partOf(model, name), name]))
  return [...parts].map(([key, name]): Difference => {
    const [relation] = key.split(' ')
    const part = model && genericPart(model, name)
    const valueIn = (values: JsonObject): RecordedValue =>
      part && part.part !== 'object'
        ? {
            field: undefined,
            value: values[part.keys.id] ?? null,
            target: registry.models.get(types.get(Number(values[part.keys.type])) ?? ''),
          }
        : { field: model?.fields.get(name), value: values[name] ?? null }
    return {
      label: labelOf(registry, model, relation ?? name),
      before: valueIn(before),
      after: valueIn(after),
    }
  })
}

/** To readers, the type and the id of a generic relation are one field. */
const partOf = (model: Model | undefined, name: string): string => (model && genericPart(model, name)?.relation) ?? name

function labelOf(registry: Registry, model: Model | undefined, name: string): string {
  if (name.startsWith(CUSTOM)) return humanize(name.slice(CUSTOM.length))
  return model ? fieldLabel(registry, model, name) : translateLabel(humanize(name))
}

const CUSTOM = 'custom_fields.'

/** The values of a record, with those of custom fields listed separately. */
function valuesIn(data: Json | undefined): JsonObject {
  if (!isJsonObject(data)) return {}
  const { custom_fields: custom, ...own } = data
  if (!isJsonObject(custom)) return own
  return {
    ...own,
    ...Object.fromEntries(Object.entries(custom).map(([name, value]) => [CUSTOM + name, value])),
  }
}

/** Whether the record shows the same value: nothing, an empty text and an empty list look alike. */
const isSame = (one: Json | undefined, other: Json | undefined): boolean =>
  JSON.stringify(plain(one)) === JSON.stringify(plain(other))

const plain = (value: Json | undefined): Json =>
  value === undefined || value === '' || (Array.isArray(value) && value.length === 0) ? null : value

/** A changed field: its value before and after the change. */
interface ChangedField {
  readonly label: string
  readonly before: Content
  readonly after: Content
}

/** The changed fields of a change, one per row. */
export const changedFields = (changes: readonly ChangedField[]): Html =>
  changes.length === 0
    ? html`<p class="muted">${translate('No field was changed.')}</p>`
    : html`<div class="scroll" tabindex="0" role="region" aria-label="${translate('Changed fields')}"><table class="diff"><thead><tr><th scope="col">${translate('Field')}</th><th scope="col">${translate('Before')}</th><th scope="col">${translate('After')}</th></tr></thead>
<tbody>${changes.map(
        ({ label, before, after }) =>
          html`<tr><th scope="row">${label}</th><td class="before">${before}</td><td class="after">${after}</td></tr>`,
      )}</tbody></table></div>`
