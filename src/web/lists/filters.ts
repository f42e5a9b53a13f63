import type { ApiRequest } from '../../api/api-request.ts'
import type { Messages } from '../../base/errors.ts'
import type { Parameter } from '../../read/query/parameters.ts'
import type { Model } from '../../schema/registry.ts'
import type { Control } from '../components/control.ts'
import { customFieldControls } from '../forms/fields/custom-field-controls.ts'
import {
  controlsByFilter,
  type FilterControl,
  filterParameters,
  parameterLabel,
} from '../forms/fields/filter-controls.ts'
import { filterName } from '../forms/fields/lookup-labels.ts'
import type { Narrowing } from '../forms/pickers.ts'
import { translate, translateLabel } from '../texts/translate.ts'
import type { FilterGroup } from './filter-form.ts'
import { filterNarrowing } from './filter-narrowing.ts'
import { type FilterWords, filterWords, type UsedFilter } from './filter-values.ts'
import { NO_FILTERS } from './list-query.ts'

/** An active filter as text, with the query without it. */
export interface FilterChip {
  /** Name of the filter's control. */
  readonly name: string
  readonly label: string
  readonly value: string
  readonly without: string
}

/** The filters of a list. */
export interface ListFilters {
  readonly groups: readonly FilterGroup[]
  readonly chips: readonly FilterChip[]
  /** Parameters of the URL that the list does not have. */
  readonly unknown: readonly string[]
}

/** Parameters that name saved filters. */
const SAVED: ReadonlySet<string> = new Set(['filter', 'filter_id'])

/**
 * The filters of the model's view as groups of form fields, and the active ones as texts. `savedNames`: names of saved
 * filters by id and slug; `messages`: why filters were refused.
 */
export async function listFilters(
  request: ApiRequest,
  model: Model,
  savedNames: ReadonlyMap<string, string>,
  messages: Messages | undefined,
): Promise<ListFilters> {
  const { service, search } = request
  const parameters = await filterParameters(service, model)
  const inUse = [...search].filter(([name, value]) => value !== '' && !NO_FILTERS.has(name))
  const used = inUse.flatMap(([name, value]): UsedFilter[] => {
    const parameter = parameters.get(name)
    return parameter ? [{ parameter, value }] : []
  })
  const words = await filterWords(request, used)
  const unknown = inUse.map(([name]) => name).filter((name) => !isKnown(model, parameters, name))
  const narrowing = filterNarrowing(model, service.registry)
  return {
    groups: await groupsOf(request, model, { parameters, words, messages, narrowing }),
    chips: inUse.map(([name, value]) => ({
      name: parameters.get(name)?.base ?? name,
      ...chipWords(parameters.get(name), words, savedNames, [name, value]),
      without: queryWithout(search, name, value),
    })),
    unknown: [...new Set(unknown)],
  }
}

const isKnown = (model: Model, parameters: ReadonlyMap<string, Parameter>, name: string): boolean =>
  parameters.has(name) || SAVED.has(name) || isKeyOfDocument(model, name)

/** Whether the name is that of a key of a JSON field: `local_context_data__x`. */
const isKeyOfDocument = (model: Model, name: string): boolean =>
  model.fields.get(name.split('__')[0] ?? '')?.kind === 'json'

function chipWords(
  parameter: Parameter | undefined,
  words: FilterWords,
  savedNames: ReadonlyMap<string, string>,
  [name, value]: readonly [string, string],
): { readonly label: string; readonly value: string } {
  if (name === 'q') return { label: translate('Search'), value }
  if (SAVED.has(name)) return { label: translate('Saved filter'), value: savedNames.get(value) ?? value }
  if (!parameter) return { label: filterName(name), value }
  return { label: parameterLabel(parameter), value: words({ parameter, value }) }
}

function queryWithout(search: URLSearchParams, name: string, value: string): string {
  const query = new URLSearchParams(search)
  query.delete(name, value)
  query.delete('offset')
  // An empty search instead of none, because a URL without a query applies the user's default filter.
  return query.size === 0 ? '?q=' : `?${query}`
}

interface FormState {
  readonly parameters: ReadonlyMap<string, Parameter>
  readonly words: FilterWords
  readonly messages: Messages | undefined
  readonly narrowing: ReadonlyMap<string, Narrowing>
}

async function groupsOf(request: ApiRequest, model: Model, state: FormState): Promise<readonly FilterGroup[]> {
  const { service, search } = request
  const declared = service.registry.view(model).filters ?? []
  const custom = await customFieldControls(service, model, undefined)
  const customNames = custom.map(({ name }) => name.replace('custom_fields.', 'cf_'))
  const names = new Set([...declared.flatMap(({ fields }) => fields), ...customNames])
  const fields = await controlsByFilter(service, model, search, names)
  const customByName = new Map(custom.map((control, index) => [customNames[index], control]))
  const finished = (list: readonly FilterControl[]): readonly Control[] =>
    list.map(({ control }) => finish(control, customByName, state))
  const at = (name: string): readonly Control[] => finished(fields.get(name) ?? [])
  const ungrouped = [...fields].filter(([name, list]) => !names.has(name) && list.some(isInUse))
  const groups = [
    ...declared.map((group) => ({
      label: translateLabel(group.label),
      controls: group.fields.flatMap(at),
    })),
    { label: translate('Custom fields'), controls: customNames.flatMap(at) },
    {
      label: translate('More filters in use'),
      controls: ungrouped.flatMap(([, list]) => finished(list)),
    },
  ]
  return groups.filter(({ controls }) => controls.length > 0)
}

const isInUse = ({ isUsed }: FilterControl): boolean => isUsed

/** The control with names of chosen objects, the choices of custom fields, and the errors of its filter. */
function finish(
  control: Control,
  customByName: ReadonlyMap<string | undefined, Control>,
  { parameters, words, messages, narrowing }: FormState,
): Control {
  const { name, lookup } = control
  const parameter = parameters.get(name)
  const custom = customByName.get(name)
  const suffix = lookup && lookup.chosen !== 'exact' ? `__${lookup.chosen}` : ''
  const errors = errorsAt(messages, `${name}${suffix}`)
  const labelled = { ...control, ...(custom && { label: custom.label }), errors }
  const { input } = control
  if (input.kind === 'objects' && parameter) {
    const chosen = input.chosen.map(({ value }) => ({
      value,
      label: words({ parameter, value }),
    }))
    const narrowedBy = narrowing.get(name) ?? {}
    return { ...labelled, input: { ...input, chosen, narrowedBy } }
  }
  if (input.kind === 'text' && custom) {
    const kind = custom.input.kind
    if (kind !== 'select' && kind !== 'choices' && kind !== 'checks') return labelled
    const chosen = input.value === '' ? [] : [input.value]
    const { lookup: _lookup, ...plain } = labelled
    const { options } = custom.input
    // A lookup compares with any text, so only the plain filter is offered as a list.
    return suffix === '' ? { ...plain, input: { kind: 'select', options, chosen, empty: translate('Any') } } : labelled
  }
  return labelled
}

function errorsAt(messages: Messages | undefined, name: string): readonly string[] {
  if (typeof messages !== 'object' || Array.isArray(messages)) return []
  const message = (messages as Readonly<Record<string, Messages>>)[name]
  return [message ?? []].flat(2).filter((part) => typeof part === 'string')
}
