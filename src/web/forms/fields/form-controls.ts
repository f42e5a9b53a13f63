import { fieldsMetadata } from '../../../api/options/field-metadata.ts'
import { searchOf } from '../../../read/groups/conditions.ts'
import { type ChoiceSet, choices } from '../../../schema/choices.ts'
import { type Field, isScalar, kindOf, type ReferenceFormat, type ScalarField } from '../../../schema/field.ts'
import { holdsNumbers } from '../../../schema/fields/choice.ts'
import { type ControlKind, mayBeEmpty } from '../../../schema/fields/kind.ts'
import { pairText } from '../../../schema/fields/list.ts'
import { type GenericPart, genericPart } from '../../../schema/generic-keys.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../schema/json.ts'
import type { Model, Registry } from '../../../schema/registry.ts'
import { SYSTEM } from '../../../schema/system-models.ts'
import { isDemanded } from '../../../schema/writable.ts'
import type { Service } from '../../../service.ts'
import { type Control, type Option, type SentAs, type TextType, wordsInput } from '../../components/control.ts'
import { type Text, translate, translateLabel } from '../../texts/translate.ts'
import { speedEntry } from '../speed-entry.ts'
import { customFieldControls } from './custom-field-controls.ts'
import {
  chosenOf,
  documentEntry,
  entryText,
  type FormEntry,
  NONE,
  optionsOf,
  textsOf,
  typeOptions,
} from './form-entry.ts'
import { typedId } from './typed-id.ts'

/**
 * Form fields for all writable fields, in the order of the response and as described by OPTIONS, and for custom fields.
 * `current` is the object's JSON; undefined for a new object.
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
    const entry = entryOf(registry, model, name, current)
    if (!entry) continue
    const [input, sentAs] = entry
    const { label, required, help_text: help } = metadata
    const generic = genericPart(model, name)
    const field = model.fields.get(generic?.relation ?? name)
    const isNeeded = required === true || (field !== undefined && isDemanded(field))
    controls.push({
      name: generic?.relation ?? name,
      ...(generic && { keys: generic.keys }),
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

const HINTS: Readonly<Partial<Record<SentAs, Text>>> = {
  json: 'JSON',
  lines: 'One per line',
  numbers: 'Numbers and ranges, such as 1-8,10',
  ranges: 'Numbers and ranges, such as 1-8,10',
  pairs: 'One per line, with its label after a colon',
  entries: 'A name, a colon and a value on each line',
  speed: 'Such as 100 Mbps or 10 Gbps; a number alone is in Kbps',
}
function hintOf(sentAs: SentAs): string | undefined {
  const hint = HINTS[sentAs]
  return hint && translate(hint)
}

function entryOf(
  registry: Registry,
  model: Model,
  name: string,
  current: JsonObject | undefined,
): FormEntry | undefined {
  const field = model.fields.get(name)
  if (field && field.kind !== 'genericForeignKey') return fieldEntry(registry, field, current?.[name])
  const generic = genericPart(model, name)
  // The control of the type stands for both.
  return generic?.part === 'type' ? genericEntry(model, generic, current) : undefined
}

/** One choice among the objects of all permitted types. */
function genericEntry(
  { name: model }: Model,
  { relation, field, keys }: GenericPart,
  current: JsonObject = {},
): FormEntry {
  const { [keys.type]: type, [keys.id]: id, [field.shown || relation]: object } = current
  const label = isJsonObject(object) ? { label: entryText(object.display) } : {}
  const chosen = type && id ? [{ value: typedId(entryText(type), entryText(id)), ...label }] : []
  return [{ kind: 'objects', relation: { model, name: relation }, key: 'value', isMultiple: false, chosen }, 'typedId']
}

/** Default value of a new object. Declared defaults are JSON values. */
const defaultOf = (field: Field): Json | undefined =>
  'default' in field ? (field.default as Json | undefined) : undefined

/** Form entry for one kind of field; undefined for fields that no body contains. */
function fieldEntry(registry: Registry, field: Field, current: Json | undefined): FormEntry | undefined {
  const value = current === undefined ? defaultOf(field) : current
  if (isScalar(field)) return ENTRIES[kindOf(field).control(field)](registry, field, value)
  switch (field.kind) {
    case 'foreignKey':
      return objectsEntry(registry, field, value, false)
    case 'manyToMany':
      return objectsEntry(registry, field, value, true)
    case 'tags':
      return objectsEntry(registry, { to: SYSTEM.tag, write: 'idOrAttributes' }, value, true)
    case 'computed':
      return computedEntry(field, value)
    default:
      return undefined
  }
}

function computedEntry({ schema, linksTo }: Extract<Field, { kind: 'computed' }>, value: Json | undefined): FormEntry {
  if (linksTo !== undefined) return linksEntry(linksTo, value)
  if (isJsonObject(schema) && schema.type === 'boolean') {
    return booleanEntry(value ?? schema.default, false)
  }
  return documentEntry(value)
}

/** Positions of other ports, as `port:position`. */
const linksEntry = (port: string, value: Json | undefined): FormEntry => {
  const links = Array.isArray(value) ? value.filter(isJsonObject) : []
  const chosen = links.map((link) => ({ value: `${link[port]}:${link[`${port}_position`] ?? 1}` }))
  return [{ kind: 'objects', key: 'id', isMultiple: true, chosen }, 'links']
}

const NO_CHOICES = choices([])

type MakeEntry = (registry: Registry, field: ScalarField, value: Json | undefined) => FormEntry

const textEntry = (type: TextType, sentAs: SentAs, value: string): FormEntry => [{ kind: 'text', type, value }, sentAs]

const selectEntry = (options: readonly Option[], value: Json | undefined, sentAs: SentAs = 'textOrNull'): FormEntry => [
  { kind: 'select', options, chosen: [entryText(value)], empty: NONE },
  sentAs,
]

/** The entry of each control that a kind of field can use. */
const ENTRIES: Readonly<Record<ControlKind, MakeEntry>> = {
  text: (_registry, field, value) => [{ kind: 'text', type: 'text', value: entryText(value), ...maxOf(field) }, 'text'],
  password: () => textEntry('password', 'text', ''),
  lines: (_registry, _field, value) => [{ kind: 'lines', value: entryText(value), rows: 4 }, 'text'],
  number: (_registry, field, value) =>
    'unit' in field && field.unit === 'kbps'
      ? textEntry('text', 'speed', speedEntry(entryText(value)))
      : textEntry('number', 'number', entryText(value)),
  checkbox: (_registry, { nullable }, value) => booleanEntry(value, nullable === true),
  date: (_registry, _field, value) => textEntry('date', 'textOrNull', entryText(value)),
  textOrNull: (_registry, _field, value) => textEntry('text', 'textOrNull', entryText(value)),
  timeZone: (_registry, _field, value) => zoneEntry(value),
  choice: (_registry, field, value) => {
    const choices = choicesOf(field)
    const options = optionsOf(choices)
    const sentAs = holdsNumbers(choices) ? 'number' : 'textOrNull'
    const isOptional = field.nullable === true || mayBeEmpty(field)
    const chosen = entryText(value)
    // A value that cannot be removed, such as a status, has no empty option beside it.
    const isFixed = !isOptional && options.some((option) => option.value === chosen)
    return isFixed ? [{ kind: 'select', options, chosen: [chosen] }, sentAs] : selectEntry(options, value, sentAs)
  },
  choices: (_registry, field, value) => [wordsInput(optionsOf(choicesOf(field)), textsOf(value)), 'words'],
  file: () => [{ kind: 'file' }, 'file'],
  json: (_registry, _field, value) => documentEntry(value),
  entries: (_registry, _field, value) => linesEntry('entries', entriesIn(value)),
  numbers: (_registry, _field, value) => textEntry('text', 'numbers', rangesText(value)),
  ranges: (_registry, _field, value) => textEntry('text', 'ranges', pairsIn(value).map(rangeText).join(',')),
  pairPerLine: (_registry, _field, value) =>
    linesEntry(
      'pairs',
      pairsIn(value).map((pair) => pairText([String(pair[0]), String(pair[1])])),
    ),
  textPerLine: (_registry, _field, value) => linesEntry('lines', textsOf(value)),
  objectType: (registry, field, value) => selectEntry(typesFor(registry, field), typeNameIn(value)),
  objectTypes: (registry, field, value) => [
    { kind: 'choices', options: typesFor(registry, field), chosen: textsOf(typeNamesIn(value)), empty: NONE },
    'words',
  ],
}

const linesEntry = (sentAs: SentAs, lines: readonly string[]): FormEntry => [
  { kind: 'lines', value: lines.join('\n'), rows: Math.min(8, Math.max(2, lines.length + 1)) },
  sentAs,
]

const entriesIn = (value: Json | undefined): readonly string[] =>
  isJsonObject(value) ? Object.entries(value).map(([name, text]) => `${name}: ${entryText(text)}`) : []

const pairsIn = (value: Json | undefined): readonly (readonly Json[])[] =>
  Array.isArray(value) ? value.filter((pair) => Array.isArray(pair)) : []

const rangeText = ([low, high]: readonly Json[]): string => (low === high ? String(low) : `${low}-${high}`)

/** Numbers as ranges of consecutive numbers: `1-3,7`. */
function rangesText(value: Json | undefined): string {
  const ranges: [number, number][] = []
  for (const number of textsOf(value).map(Number)) {
    const last = ranges.at(-1)
    if (last && number === last[1] + 1) last[1] = number
    else ranges.push([number, number])
  }
  return ranges.map(rangeText).join(',')
}

const maxOf = (field: ScalarField) => ('max' in field && field.max !== undefined ? { max: field.max } : {})

const choicesOf = (field: ScalarField): ChoiceSet => ('choices' in field && field.choices) || NO_CHOICES

/** The name of an object type, whose parts a document may have one by one. */
const typeNameIn = (value: Json | undefined): Json | undefined =>
  isJsonObject(value) ? `${value.app_label}.${value.model}` : value

const typeNamesIn = (value: Json | undefined): Json | undefined =>
  Array.isArray(value) ? value.map((item) => typeNameIn(item) ?? null) : value

/** The object types that the field allows, as options. */
function typesFor(registry: Registry, field: ScalarField): readonly Option[] {
  const feature = 'feature' in field ? field.feature : undefined
  return typeOptions(
    [...registry.models.values()].filter(
      // Declarations store a field's feature as text; a model does not have an unknown feature.
      (model) => feature === undefined || model.has(feature as Parameters<Model['has']>[0]),
    ),
  )
}

/** The time zones of this runtime, and the stored one if it is not among them. */
function zoneEntry(value: Json | undefined): FormEntry {
  const chosen = entryText(value)
  const zones = new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), chosen])
  const options = [...zones].filter(Boolean).map((zone) => ({ value: zone, label: zone }))
  return selectEntry(options, value)
}

function booleanEntry(value: Json | undefined, isNullable: boolean): FormEntry {
  if (!isNullable) return [{ kind: 'checkbox', isChecked: value === true }, 'boolean']
  const options = [
    { value: 'true', label: translate('Yes') },
    { value: 'false', label: translate('No') },
  ]
  return selectEntry(options, value, 'boolean')
}

function objectsEntry(
  registry: Registry,
  { to, write, offered }: { readonly to: string; readonly write: ReferenceFormat; readonly offered?: JsonObject },
  value: Json | undefined,
  isMultiple: boolean,
): FormEntry {
  const collection = `/api/${registry.model(to).path}/`
  const key = write === 'slug' ? 'slug' : 'id'
  const chosen = chosenOf(value, key)
  const byId = isMultiple ? 'ids' : 'id'
  const bySlug = isMultiple ? 'words' : 'textOrNull'
  const among = offered && { offered: searchOf(offered) }
  return [{ kind: 'objects', collection, key, isMultiple, chosen, ...among }, key === 'id' ? byId : bySlug]
}
