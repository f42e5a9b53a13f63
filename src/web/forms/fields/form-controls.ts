import { fieldsMetadata } from '../../../api/options/field-metadata.ts'
import type { Field, GenericForeignKeyField, ReferenceFormat } from '../../../schema/field.ts'
import { genericPart } from '../../../schema/generic-keys.ts'
import type { Json, JsonObject } from '../../../schema/json.ts'
import type { Model, Registry } from '../../../schema/registry.ts'
import { SYSTEM } from '../../../schema/system-models.ts'
import { isDemanded } from '../../../schema/writable.ts'
import type { Service } from '../../../service.ts'
import type { Control, SentAs } from '../../components/control.ts'
import type { PlainText } from '../../texts/dictionaries.ts'
import { translate, translateLabel } from '../../texts/translate.ts'
import { customFieldControls } from './custom-field-controls.ts'
import { chosenOf, documentEntry, entryText, type FormEntry, NONE, textsOf } from './form-entry.ts'
import { optionsOf, typeOptions } from './form-options.ts'

/**
 * Form fields for all writable fields, in the order of the response and as described by OPTIONS, and for custom
 * fields. `current` is the object's JSON; undefined for a new object.
 */
export async function formControls(
  service: Service,
  model: Model,
  current: JsonObject | undefined,
): Promise<readonly Control[]> {
  const { registry } = service
  const controls: Control[] = []
  for (const [name, metadata] of Object.entries(fieldsMetadata(registry, model))) {
    if (metadata.read_only !== false) continue
    const entry = entryOf(registry, model, name, current?.[name])
    if (!entry) continue
    const [input, sentAs] = entry
    const { label, required, help_text: help } = metadata
    const field = model.fields.get(name)
    const isNeeded = required === true || (field !== undefined && isDemanded(field))
    controls.push({
      name,
      label: String(label ?? name),
      help: help === undefined ? hintOf(sentAs) : translateLabel(String(help)),
      // An empty password field leaves the password unchanged.
      isRequired: isNeeded && (current === undefined || !isWriteOnly(model, name)),
      input,
      sentAs,
    })
  }
  return [...controls, ...(await customFieldControls(service, model, current?.custom_fields))]
}

const isWriteOnly = (model: Model, name: string): boolean => {
  const field = model.fields.get(name)
  return field !== undefined && 'writeOnly' in field && field.writeOnly === true
}

const HINTS: Readonly<Partial<Record<SentAs, PlainText>>> = {
  json: 'JSON',
  lines: 'One per line',
  numbers: 'Numbers separated by commas',
}
function hintOf(sentAs: SentAs): string | undefined {
  const hint = HINTS[sentAs]
  return hint && translate(hint)
}

function entryOf(
  registry: Registry,
  model: Model,
  name: string,
  value: Json | undefined,
): FormEntry | undefined {
  const field = model.fields.get(name)
  if (field && field.kind !== 'genericForeignKey') return fieldEntry(registry, field, value)
  const generic = genericPart(model, name)
  if (generic?.part === 'type') return typeEntry(registry, generic.field, value)
  return generic?.part === 'id' ? idEntry(generic.keys.type, value) : undefined
}

function typeEntry(
  registry: Registry,
  field: GenericForeignKeyField,
  value: Json | undefined,
): FormEntry {
  const options = typeOptions(registry.targets(field))
  return [{ kind: 'select', options, chosen: [entryText(value)], empty: NONE }, 'textOrNull']
}

const idEntry = (typedBy: string, value: Json | undefined): FormEntry => [
  { kind: 'objects', typedBy, key: 'id', isMultiple: false, chosen: chosenOf(value) },
  'id',
]

/** Value of a new object where the body names none. Declared defaults are JSON values. */
const defaultOf = (field: Field): Json | undefined =>
  'default' in field ? (field.default as Json | undefined) : undefined

/** Form entry for one kind of field; undefined for fields that no body contains. */
function fieldEntry(
  registry: Registry,
  field: Field,
  given: Json | undefined,
): FormEntry | undefined {
  const value = given === undefined ? defaultOf(field) : given
  switch (field.kind) {
    case 'text': {
      if (field.writeOnly) return [{ kind: 'text', type: 'password', value: '' }, 'text']
      if (field.format === 'timeZone') return zoneEntry(value)
      if (field.format === 'plain' && (field.max === undefined || field.max > 500))
        return [{ kind: 'lines', value: entryText(value), rows: 4 }, 'text']
      return [{ kind: 'text', type: 'text', value: entryText(value), ...maxOf(field) }, 'text']
    }
    case 'integer':
    case 'decimal':
      return [{ kind: 'text', type: 'number', value: entryText(value) }, 'number']
    case 'boolean':
      return booleanEntry(value, field.nullable === true)
    case 'date':
      return [{ kind: 'text', type: 'date', value: entryText(value) }, 'textOrNull']
    case 'choice': {
      const options = optionsOf(field.choices)
      const chosen = [entryText(value)]
      const isNumber = typeof field.choices.list[0]?.value === 'number'
      return [{ kind: 'select', options, chosen, empty: NONE }, isNumber ? 'number' : 'textOrNull']
    }
    case 'dateTime':
    case 'address':
    case 'network':
    case 'hardwareAddress':
    case 'uuid':
      return [{ kind: 'text', type: 'text', value: entryText(value) }, 'textOrNull']
    case 'file':
      return [{ kind: 'file' }, 'file']
    case 'list':
      return listEntry(field, value)
    case 'objectType': {
      const options = typeOptions(allowedTypes(registry, field.feature))
      return [{ kind: 'select', options, chosen: [entryText(value)], empty: NONE }, 'textOrNull']
    }
    case 'objectTypes': {
      const options = typeOptions(allowedTypes(registry, field.feature))
      return [{ kind: 'choices', options, chosen: textsOf(value), empty: NONE }, 'words']
    }
    case 'foreignKey':
      return objectsEntry(registry, field, value, false)
    case 'manyToMany':
      return objectsEntry(registry, field, value, true)
    case 'tags':
      return objectsEntry(registry, { to: SYSTEM.tag, write: 'idOrAttributes' }, value, true)
    case 'json':
    case 'computed':
      return documentEntry(value)
    default:
      return undefined
  }
}

const maxOf = ({ max }: { readonly max?: number }) => (max === undefined ? {} : { max })

/** The time zones of this runtime, and the stored one if it is not among them. */
function zoneEntry(value: Json | undefined): FormEntry {
  const chosen = entryText(value)
  const zones = new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), chosen])
  const options = [...zones].filter(Boolean).map((zone) => ({ value: zone, label: zone }))
  return [{ kind: 'select', options, chosen: [chosen], empty: NONE }, 'textOrNull']
}

function booleanEntry(value: Json | undefined, isNullable: boolean): FormEntry {
  if (!isNullable) return [{ kind: 'checkbox', isChecked: value === true }, 'boolean']
  const options = [
    { value: 'true', label: translate('Yes') },
    { value: 'false', label: translate('No') },
  ]
  return [{ kind: 'select', options, chosen: [entryText(value)], empty: NONE }, 'boolean']
}

function listEntry(field: Extract<Field, { kind: 'list' }>, value: Json | undefined): FormEntry {
  if (field.choices) {
    const options = optionsOf(field.choices)
    return [{ kind: 'choices', options, chosen: textsOf(value), empty: NONE }, 'words']
  }
  if (field.of === 'integer') {
    return [{ kind: 'text', type: 'text', value: textsOf(value).join(', ') }, 'numbers']
  }
  if (field.of === 'text' || field.of === 'network') {
    return [{ kind: 'lines', value: textsOf(value).join('\n'), rows: 2 }, 'lines']
  }
  return documentEntry(value)
}

function objectsEntry(
  registry: Registry,
  { to, write }: { readonly to: string; readonly write: ReferenceFormat },
  value: Json | undefined,
  isMultiple: boolean,
): FormEntry {
  const collection = `/api/${registry.model(to).path}/`
  const key = write === 'slug' ? 'slug' : 'id'
  const chosen = chosenOf(value, key)
  const byId = isMultiple ? 'ids' : 'id'
  const bySlug = isMultiple ? 'words' : 'textOrNull'
  return [{ kind: 'objects', collection, key, isMultiple, chosen }, key === 'id' ? byId : bySlug]
}

const allowedTypes = (registry: Registry, feature: string | undefined): readonly Model[] =>
  [...registry.models.values()].filter(
    // Declarations store a field's feature as text; a model does not have an unknown feature.
    (model) => feature === undefined || model.has(feature as Parameters<Model['has']>[0]),
  )
