import { customFieldParameters } from '../../../read/query/custom-field-parameters.ts'
import { type Parameter, parametersOf } from '../../../read/query/parameters.ts'
import { ownValue } from '../../../schema/json.ts'
import type { Model, Registry } from '../../../schema/registry.ts'
import { SYSTEM } from '../../../schema/system-models.ts'
import type { Service } from '../../../service.ts'
import type { Control, InputControl, Option } from '../../components/control.ts'
import { humanize } from '../../components/humanize.ts'
import { type Text, translate, translateLabel } from '../../texts/translate.ts'
import { LOOKUP_PREFIX } from './filter-redirect.ts'
import { optionsOf, typeOptions, yesOrNoOptions } from './form-entry.ts'
import { lookupLabel } from './lookup-labels.ts'

/** One filter in the URL: its lookup and its values. */
interface Use {
  readonly parameter: Parameter
  readonly values: readonly string[]
}

/** A form field of a filter. */
export interface FilterControl {
  readonly control: Control
  /** The URL has a value for it. */
  readonly isUsed: boolean
}

/**
 * Form fields of all filters except the quick search, by name without lookup; a filter that the URL has several times has
 * several. `names`: only these filters and those in use.
 */
export async function controlsByFilter(
  service: Service,
  model: Model,
  search: URLSearchParams,
  names?: ReadonlySet<string>,
): Promise<ReadonlyMap<string, readonly FilterControl[]>> {
  const { registry } = service
  const parameters = await filterParameters(service, model)
  const fields = new Map<string, readonly FilterControl[]>()
  for (const [base, family] of Map.groupBy(parameters.values(), (parameter) => parameter.base)) {
    if (base === 'q') continue
    const isUsed = family.some(({ name }) => search.has(name))
    if (names && !names.has(base) && !isUsed) continue
    fields.set(
      base,
      usesOf(registry, family, search).map((use) => ({
        control: controlOf(registry, family, use),
        isUsed: use.values.length > 0,
      })),
    )
  }
  return fields
}

/** All filters of a collection by the name of their parameter, those of custom fields too. */
export async function filterParameters(service: Service, model: Model): Promise<ReadonlyMap<string, Parameter>> {
  const custom = await customFieldParameters(service, model, ['cf_'])
  return new Map([...parametersOf(service.registry, model), ...custom])
}

/** The uses of a filter in the URL; an empty one if there are none. */
function usesOf(registry: Registry, parameters: readonly Parameter[], search: URLSearchParams): readonly Use[] {
  const uses = parameters.flatMap((parameter) => {
    const values = search.getAll(parameter.name)
    if (values.length === 0) return []
    // A text filter has one form field per value; a choice filter has one for all values.
    return isText(registry, parameter)
      ? values.map((value) => ({ parameter, values: [value] }))
      : [{ parameter, values }]
  })
  return uses.length > 0 ? uses : parameters.slice(0, 1).map((parameter) => ({ parameter, values: [] }))
}

const isText = (registry: Registry, parameter: Parameter): boolean =>
  filterInput(registry, parameter, []).kind === 'text'

function controlOf(registry: Registry, parameters: readonly Parameter[], { parameter, values }: Use): Control {
  const { base, lookup, name } = parameter
  const input = filterInput(registry, parameter, values)
  const options = parameters
    .filter((parameter) => parameter.lookup !== 'empty')
    .map((parameter) => ({ value: parameter.lookup, label: translate(lookupLabel(parameter.lookup)) }))
  if (input.kind !== 'text' || options.length < 2) return { name, label: parameterLabel(parameter), input }
  return {
    name: base,
    label: nameOf(parameter),
    input,
    lookup: { name: `${LOOKUP_PREFIX}${base}`, chosen: lookup, options },
  }
}

export const parameterLabel = (parameter: Parameter): string =>
  parameter.lookup === 'exact' ? nameOf(parameter) : `${nameOf(parameter)} ${translate(lookupLabel(parameter.lookup))}`

/** Filters by types of objects, in words of people. */
const TYPES: Readonly<Record<string, Text>> = {
  assigned_object_type_id: 'Object type',
  content_type_id: 'Used on objects of the type',
  for_object_type_id: 'Usable on objects of the type',
}

/** `site_id` becomes `Site`: people choose an object, not its id. */
const nameOf = ({ base, filter }: Parameter): string => {
  const words = ownValue(TYPES, base)
  if (words !== undefined) return translate(words)
  const isObject =
    filter.kind === 'related' ||
    filter.kind === 'dynamicGroup' ||
    filter.kind === 'objectType' ||
    (filter.kind === 'custom' && (filter.value === 'related' || filter.value === 'integer'))
  if (base.startsWith('cf_')) return humanize(base.replace(/^cf_/, ''))
  return translateLabel(humanize(isObject || base === 'tag_id' ? base.replace(/_id$/, '') : base))
}

/**
 * Form control for the values of a filter: a list for choices, a search for related objects, otherwise a text field.
 */
function filterInput(registry: Registry, parameter: Parameter, values: readonly string[]): InputControl {
  const { filter, multiple } = parameter
  const any = translate('Any')
  const yesOrNo: InputControl = {
    kind: 'select',
    options: yesOrNoOptions(),
    chosen: values,
    empty: any,
  }
  const text: InputControl = { kind: 'text', type: 'text', value: values.join(',') }
  if (parameter.lookup === 'empty') return yesOrNo
  const pick = (options: readonly Option[]): InputControl =>
    multiple
      ? { kind: 'choices', options, chosen: values, empty: any }
      : { kind: 'select', options, chosen: values, empty: any }
  const objects = (to: string, key: string): InputControl => {
    const { path, answer } = registry.model(to)
    if (path === '' || !answer.includes(key)) return text
    const chosen = values.map((value) => ({ value }))
    return { kind: 'objects', collection: `/api/${path}/`, key, isMultiple: multiple, chosen }
  }
  switch (filter.kind) {
    case 'boolean':
    case 'presence':
      return yesOrNo
    case 'choice':
      return parameter.lookup === 'exact' || parameter.lookup === 'n' ? pick(optionsOf(filter.choices)) : text
    case 'related':
    case 'tag':
      return objects(filter.to, filter.by)
    case 'dynamicGroup':
      return objects(SYSTEM.dynamicGroup, filter.by)
    case 'objectType':
      return filter.byId || parameter.base.endsWith('_id') ? text : pick(typeOptions(registry.models.values()))
    case 'date':
      return values.length < 2 ? { kind: 'text', type: 'date', value: values.join(',') } : text
    case 'dateTime':
      return timeInput(values) ?? text
    case 'custom':
      if (filter.choices) return pick(optionsOf(filter.choices))
      if (filter.value === 'boolean') return yesOrNo
      return filter.to === undefined ? text : objects(filter.to, filter.by ?? 'id')
    default:
      return text
  }
}

/** A picker of a time in UTC; undefined for values that it cannot show, such as several or those with another offset. */
function timeInput([value = '', ...others]: readonly string[]): InputControl | undefined {
  const parts = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(?:\.\d+)?Z?)?$/.exec(value.trim())
  if (others.length > 0 || (value !== '' && !parts)) return undefined
  const localTime = parts ? `${parts[1]}T${parts[2] ?? '00:00'}` : ''
  return { kind: 'text', type: 'datetime-local', value: localTime }
}
