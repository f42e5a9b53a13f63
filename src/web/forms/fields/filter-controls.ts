import { customFieldParameters } from '../../../read/query/custom-field-parameters.ts'
import { type Parameter, parametersOf } from '../../../read/query/parameters.ts'
import type { Model, Registry } from '../../../schema/registry.ts'
import type { Service } from '../../../service.ts'
import type { Control } from '../../components/control.ts'
import { humanize } from '../../components/humanize.ts'
import { translate, translateLabel } from '../../texts/translate.ts'
import { filterInput } from './filter-input.ts'
import { LOOKUP_PREFIX } from './filter-redirect.ts'
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
  for (const [base, family] of Map.groupBy(parameters.values(), (each) => each.base)) {
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
    .filter((each) => each.lookup !== 'empty')
    .map((each) => ({ value: each.lookup, label: translate(lookupLabel(each.lookup)) }))
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

/** `site_id` becomes `Site`: people choose an object, not its id. */
const nameOf = ({ base, filter }: Parameter): string => {
  const isObject =
    filter.kind === 'related' ||
    (filter.kind === 'custom' && (filter.value === 'related' || filter.value === 'integer'))
  if (base.startsWith('cf_')) return humanize(base.replace(/^cf_/, ''))
  return translateLabel(humanize(isObject || base === 'tag_id' ? base.replace(/_id$/, '') : base))
}
