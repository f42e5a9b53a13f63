import type { ApiRequest } from '../../api/api-request.ts'
import { ApiError } from '../../base/errors.ts'
import type { Parameter } from '../../read/query/parameters.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { shownTitle } from '../components/model-title.ts'
import { timestampText } from '../components/value.ts'
import { readList, visibleObjects } from '../data/page-objects.ts'
import { type Text, translate, translateLabel } from '../texts/translate.ts'

/** A filter of the URL: its parameter and one value. */
export interface UsedFilter {
  readonly parameter: Parameter
  readonly value: string
}

/** The text for a filter's value: the name of an object for its id, the label of a choice. */
export type FilterWords = (used: UsedFilter) => string

/**
 * Texts for the values of these filters: one read per related model. Objects that the sender may not view, and values
 * without an object, are left unchanged.
 */
export async function filterWords(request: ApiRequest, used: readonly UsedFilter[]): Promise<FilterWords> {
  const references = used.flatMap((filter) => {
    const target = targetOf(request, filter.parameter, used)
    return target ? [{ ...target, value: filter.value }] : []
  })
  const names = new Map<string, string>()
  const requests = await requestsNamed(request, used)
  await Promise.all(
    [...Map.groupBy(references, ({ to, by }) => `${to.name} ${by}`)].map(async ([key, list]) => {
      const [first] = list
      if (!first) return
      const values = list.map(({ value }) => value)
      for (const object of await objectsNamed(request, first.to, first.by, values)) {
        names.set(`${key} ${String(object[first.by])}`, String(object.display))
      }
    }),
  )
  return ({ parameter, value }) => {
    const target = targetOf(request, parameter, used)
    const name =
      parameter.filter.kind === 'request'
        ? requests.get(value)
        : target && names.get(`${target.to.name} ${target.by} ${value}`)
    return name ?? plainWords(request, parameter, value)
  }
}

interface Target {
  readonly to: Model
  /** Field of the object that the filter's value names. */
  readonly by: string
}

function targetOf(
  { service }: ApiRequest,
  { base, filter, lookup }: Parameter,
  used: readonly UsedFilter[],
): Target | undefined {
  if (lookup === 'empty') return undefined
  const { registry } = service
  const target = (name: string | undefined, by = 'id'): Target | undefined => {
    const to = name === undefined ? undefined : registry.models.get(name)
    return to && to.path !== '' && to.answer.includes(by) ? { to, by } : undefined
  }
  switch (filter.kind) {
    case 'related':
    case 'tag':
      return target(filter.to, filter.by)
    case 'dynamicGroup':
      return target(SYSTEM.dynamicGroup, filter.by)
    case 'custom':
      return target(filter.to ?? modelOfKey(registry, base), filter.by)
    case 'integer': {
      // `scope_id` names an object of the type that `scope_type` names.
      const type = used.find(({ parameter }) => parameter.base === base.replace(/_id$/, '_type'))
      return base.endsWith('_id') ? target(type?.value) : undefined
    }
    case 'customField':
      return target(filter.field.related)
    default:
      return undefined
  }
}

/** The model named by a parameter: `dcim.device` for `device_id`. */
function modelOfKey({ models }: Registry, name: string): string | undefined {
  const [, key] = /^(\w+)_id$/.exec(name) ?? []
  return [...models.keys()].find((candidate) => candidate.split('.')[1] === key?.replaceAll('_', ''))
}

/** Author and time of the requests that filters name, by the id of the request. */
async function requestsNamed(request: ApiRequest, used: readonly UsedFilter[]): Promise<ReadonlyMap<string, string>> {
  const changes = request.service.registry.model(SYSTEM.objectChange)
  const ids = used.filter(({ parameter }) => parameter.filter.kind === 'request')
  const named = await Promise.all(
    ids.map(async ({ value }) => {
      const query = new URLSearchParams({ request_id: value, limit: '1' })
      const [change] = await readable(request, changes, query, ['user_name', 'time'])
      if (!change) return [value, value] as const
      return [value, `${String(change.user_name)}, ${timestampText(String(change.time))}`] as const
    }),
  )
  return new Map(named)
}

async function objectsNamed(
  request: ApiRequest,
  model: Model,
  by: string,
  values: readonly string[],
): Promise<readonly JsonObject[]> {
  if (by === 'id') {
    const ids = values.filter((value) => /^\d{1,15}$/.test(value)).map(Number)
    return [...(await visibleObjects(request, model, ids, ['id', 'display'])).values()]
  }
  const query = new URLSearchParams(values.map((value) => [by, value] as [string, string]))
  return await readable(request, model, query, ['id', 'display', by])
}

/**
 * The objects of the query; none without permission, or if a filter refuses a value, because the names are only a
 * convenience.
 */
async function readable(
  request: ApiRequest,
  model: Model,
  query: URLSearchParams,
  paths: readonly string[],
): Promise<readonly JsonObject[]> {
  try {
    return (await readList(request, model, { query, paths })).objects
  } catch (error) {
    if (error instanceof ApiError) return []
    throw error
  }
}

const YES_OR_NO: Readonly<Record<string, Text>> = {
  true: 'Yes',
  false: 'No',
  '1': 'Yes',
  '0': 'No',
}

function yesOrNo(value: string): string {
  const text = YES_OR_NO[value.toLowerCase()]
  return text ? translate(text) : value
}

function plainWords({ service }: ApiRequest, { filter, lookup }: Parameter, value: string): string {
  if (lookup === 'empty') return yesOrNo(value)
  if (value === 'null') return translate('None')
  switch (filter.kind) {
    case 'boolean':
    case 'presence':
      return yesOrNo(value)
    case 'choice':
      return labelOfChoice(filter.choices.list, value)
    case 'custom':
      if (filter.value === 'boolean') return yesOrNo(value)
      return labelOfChoice(filter.choices?.list ?? [], value)
    case 'objectType': {
      const model = service.registry.models.get(value)
      return model ? shownTitle(model) : value
    }
    default:
      return value
  }
}

const labelOfChoice = (list: readonly { readonly value: unknown; readonly label: string }[], value: string): string => {
  const label = list.find((candidate) => String(candidate.value) === value)?.label
  return label === undefined ? value : translateLabel(label)
}
