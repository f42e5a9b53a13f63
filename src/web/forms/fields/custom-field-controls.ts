import type { ApiRequest } from '../../../api/api-request.ts'
import { DEFINITIONS_CACHING } from '../../../db/cache/cache.ts'
import { searchOf } from '../../../read/groups/conditions.ts'
import { isJsonObject, type Json, type JsonObject, parseJson } from '../../../schema/json.ts'
import type { Model } from '../../../schema/registry.ts'
import { SYSTEM } from '../../../schema/system-models.ts'
import type { Service } from '../../../service.ts'
import { sql } from '../../../sql/fragment.ts'
import { table } from '../../../sql/table.ts'
import { type Control, type InputControl, type SentAs, wordsInput } from '../../components/control.ts'
import { humanize } from '../../components/humanize.ts'
import { visibleObjects } from '../../data/page-objects.ts'
import { chosenOf, documentEntry, entryText, type FormEntry, NONE, textsOf, yesOrNoOptions } from './form-entry.ts'

/** The parts of a custom field that determine its control. */
interface ValueDefinition {
  readonly type: string
  readonly related: string | null
  /** Filters of the objects that are offered: JSON. */
  readonly offered: string | null
  /** Null choices mean that the set uses a published list, which is too long for a form. */
  readonly base: string | null
  readonly choices: readonly (readonly [value: string, label: string])[] | null
}

interface Definition extends ValueDefinition, Record<string, unknown> {
  readonly name: string
  readonly label: string
  readonly group: string
  readonly required: boolean
  readonly description: string
  readonly default: string | null
}

/**
 * One form field for each editable custom field of the model. `values` are those of the object; undefined for a new
 * object, which starts with the defaults.
 */
export async function customFieldControls(
  service: Service,
  model: Model,
  values: Json | undefined,
): Promise<readonly Control[]> {
  const fields = model.fields.has('custom_fields') ? await definitionsOf(service, model) : []
  const stored: JsonObject | undefined = isJsonObject(values) ? values : undefined
  return fields.map((field) => {
    const [input, sentAs] = entryOf(service, field, stored ? stored[field.name] : defaultOf(field))
    return {
      name: `custom_fields.${field.name}`,
      label: field.label || humanize(field.name),
      help: field.description || (sentAs === 'json' ? 'JSON' : undefined),
      isRequired: field.required,
      input,
      sentAs,
      group: field.group,
    }
  })
}

/**
 * The control of a custom field's default in the field's own form: that of its values. `textOf` returns the form's text
 * for another field.
 */
export async function defaultControl(
  request: ApiRequest,
  control: Control,
  value: Json | undefined,
  textOf: (name: string) => string,
): Promise<Control> {
  const set = request.service.registry.model(SYSTEM.customFieldChoiceSet)
  const id = Number(textOf('choice_set'))
  const sets = await visibleObjects(request, set, id > 0 ? [id] : [], ['base_choices', 'extra_choices'])
  const { base_choices: base = null, extra_choices: choices = null } = sets.get(id) ?? {}
  const definition: ValueDefinition = {
    type: textOf('type'),
    related: textOf('related_object_type'),
    offered: null,
    base: base === null ? null : entryText(base),
    choices: Array.isArray(choices)
      ? choices.map((pair) => [entryText(textsOf(pair)[0]), entryText(textsOf(pair)[1])])
      : null,
  }
  const [input, sentAs] = entryOf(request.service, definition, value)
  return {
    ...control,
    help: sentAs === 'json' ? 'JSON' : undefined,
    input,
    sentAs,
    dependsOn: ['type', 'choice_set', 'related_object_type'],
  }
}

const definitionsOf = ({ database, cache }: Service, model: Model): Promise<readonly Definition[]> =>
  cache.get(
    `form of custom fields of ${model.name}`,
    () =>
      database.query<Definition>(sql`
      select f.name, f.label, f.group_name as "group", f.type, f.required, f.description, f."default",
        f.related_object_type as related, f.related_object_filter as offered, s.base_choices as base, s.extra_choices as choices
      from ${table(SYSTEM.customField)} f left join ${table(SYSTEM.customFieldChoiceSet)} s on s.id = f.choice_set_id
      where ${model.name} = any(f.object_types) and f.ui_editable = 'yes'
      order by f.group_name, f.weight, f.name`),
    DEFINITIONS_CACHING,
  )

const defaultOf = (field: Definition): Json | undefined =>
  field.default === null ? undefined : (parseJson(field.default) as Json) // a JSON column

function entryOf(service: Service, field: ValueDefinition, value: Json | undefined): FormEntry {
  const text = (type: 'text' | 'number' | 'date', sentAs: SentAs): FormEntry => [
    { kind: 'text', type, value: entryText(value) },
    sentAs,
  ]
  switch (field.type) {
    case 'longtext':
      return [{ kind: 'lines', value: entryText(value), rows: 4 }, 'textOrNull']
    case 'integer':
    case 'decimal':
      return text('number', 'number')
    case 'boolean':
      return [{ kind: 'select', options: yesOrNoOptions(), chosen: [entryText(value)], empty: NONE }, 'boolean']
    case 'date':
      return text('date', 'textOrNull')
    case 'json':
      return documentEntry(value)
    case 'select':
    case 'multiselect':
      return choiceEntry(field, value)
    case 'object':
    case 'multiobject':
      return objectEntry(service, field, value)
    default:
      return text('text', 'textOrNull')
  }
}

function choiceEntry({ type, base, choices }: ValueDefinition, value: Json | undefined): FormEntry {
  const isMultiple = type === 'multiselect'
  if (base !== null || choices === null) {
    const lines: InputControl = { kind: 'lines', value: textsOf(value).join('\n'), rows: 2 }
    return isMultiple ? [lines, 'lines'] : [{ kind: 'text', type: 'text', value: entryText(value) }, 'textOrNull']
  }
  const options = choices.map(([choice, label]) => ({ value: choice, label }))
  return isMultiple
    ? [wordsInput(options, textsOf(value)), 'words']
    : [{ kind: 'select', options, chosen: [entryText(value)], empty: NONE }, 'textOrNull']
}

function objectEntry(
  { registry }: Service,
  { type, related, offered }: ValueDefinition,
  value: Json | undefined,
): FormEntry {
  const path = registry.models.get(related ?? '')?.path
  const isMultiple = type === 'multiobject'
  const collection = path ? `/api/${path}/` : '/api/'
  const among = offered !== null && { offered: searchOf(parseJson(offered)) }
  const input = { kind: 'objects', collection, key: 'id', isMultiple, chosen: chosenOf(value), ...among } as const
  return [input, isMultiple ? 'ids' : 'id']
}
