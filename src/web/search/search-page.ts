import { type SearchResults, searchObjects } from '../../api/actions/search.ts'
import type { ApiRequest } from '../../api/api-request.ts'
import { ApiError } from '../../base/errors.ts'
import { requireUser } from '../../identity/require-user.ts'
import { AS_OF } from '../../read/as-of/past-timestamp.ts'
import { lastValue } from '../../read/query/last-value.ts'
import { parseSearch } from '../../read/search/parse-search.ts'
import type { Search, SearchOutcome } from '../../read/search/search.ts'
import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'
import { formatIp, parseInterface } from '../../schema/net/ip.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { fieldLabel } from '../components/field-label.ts'
import { pluralsApart, shownTitle } from '../components/model-title.ts'
import { pager } from '../components/pager.ts'
import { type DisplayOptions, EMPTY, linkToObject, valueDisplay } from '../components/value.ts'
import { displayOptionsOf, pageOfObject } from '../data/display-options.ts'
import { OPENS_OBJECT } from '../frame/header.ts'
import { type PageResponse, sentenceOf } from '../frame/page-frame.ts'
import { seeOther } from '../frame/page-response.ts'
import { type Content, html } from '../html.ts'
import { translate } from '../texts/translate.ts'
import {
  type ResultGroup,
  resultGroups,
  type SearchResult,
  searchForm,
  type TypeChip,
  typeChips,
} from './search-results.ts'

const LOOKUPS = [
  ['icontains', 'contains'],
  ['iexact', 'is'],
  ['istartswith', 'begins with'],
  ['iendswith', 'ends with'],
  ['iregex', 'matches the expression'],
] as const

/** GET /search/: matching objects of every kind, by type. */
export async function searchPage(request: ApiRequest): Promise<PageResponse> {
  requireUser(request)
  const { search } = request
  const text = (lastValue(search, 'q') ?? '').trim()
  const { status, content, page } = await contentOf(request, text)
  if (page !== undefined) return seeOther(page)
  const lookup = lastValue(search, 'lookup') ?? 'icontains'
  return {
    title: text === '' ? translate('Search') : translate('Search: {text}', { text }),
    status,
    styles: ['objects.css', 'search.css'],
    body: html`<div class="heading"><h1>${translate('Search')}</h1></div>${searchForm({ text, lookup, lookups: LOOKUPS.map(([name, label]) => [name, translate(label)]) })}${content}`,
  }
}

interface PageContent {
  readonly status: number
  readonly content: Content
  /** Address of the only object that the search means, if it opens this. */
  readonly page?: string | undefined
}

async function contentOf(request: ApiRequest, text: string): Promise<PageContent> {
  if (text === '') return { status: 200, content: undefined }
  try {
    const query = await parseSearch(request.service, request.search)
    const results = await searchObjects(request, query)
    const page = request.search.has(OPENS_OBJECT) ? await meantPage(request, query, results) : undefined
    return { status: 200, page, content: page === undefined && (await resultList(request, query, results)) }
  } catch (error) {
    if (!(error instanceof ApiError) || error.reason.kind !== 'invalid') throw error
    return { status: 400, content: html`<p class="notice bad">${sentenceOf(error)}</p>` }
  }
}

/** Maximum number of exact matches among which a name is looked for. */
const MOST_EXACT = 50

/** Address of the only object with this name or address, or of the only result. */
async function meantPage(request: ApiRequest, query: Search, results: SearchResults): Promise<string | undefined> {
  const { service, asOf } = request
  const isOnly = results.count === 1 && results.outcome.isComplete
  const exact = isOnly
    ? results
    : await searchObjects(request, { ...query, lookup: 'iexact', offset: 0, limit: MOST_EXACT })
  const objects = exact.results.map(({ object }) => parseObject(object))
  const meant = isOnly ? objects : objects.filter(({ display }) => isNameOf(String(display), query.text))
  if (meant.length !== 1 || exact.count > objects.length) return undefined
  const page = pageOfObject(service.registry, String(meant[0]?.url))
  if (page === undefined) return undefined
  return `${service.settings.basePath}${page}${asOf === undefined ? '' : `?${new URLSearchParams({ [AS_OF]: asOf })}`}`
}

/** Whether the text is the name, in any case, or an address in any spelling, with or without its length. */
function isNameOf(display: string, text: string): boolean {
  if (display.toLowerCase() === text.toLowerCase()) return true
  const [displayed, entered] = [parseInterface(display), parseInterface(text)]
  return (
    displayed !== undefined && entered !== undefined && formatIp(displayed) === formatIp(entered) && !text.includes('/')
  )
}

async function resultList(request: ApiRequest, query: Search, results: SearchResults): Promise<Content> {
  const { registry } = request.service
  // The chips still list all types when the results are narrowed to one.
  const all = query.types
    ? (await searchObjects(request, { ...query, types: undefined, offset: 0, limit: 0 })).outcome
    : results.outcome
  if (results.count === 0 && all.counts.size === 0) {
    return html`<p class="notice">${translate('Nothing was found.')}</p>`
  }
  return html`${typeChips(chipsOf(request, registry, query, all))}
${!all.isComplete && html`<p class="notice">${translate('Too many values match. Only the best matches are shown and counted.')}</p>`}
${resultGroups(await groupsOf(request, query, results), query.text)}${pagerOf(request, query, results)}`
}

/** The URL of this page with another value of a parameter, starting at the first result. */
function withParameter({ search }: ApiRequest, name: string, value: string | undefined): string {
  const query = new URLSearchParams(search)
  for (const parameter of ['offset', OPENS_OBJECT, name]) query.delete(parameter)
  if (value !== undefined) query.set(name, value)
  return `?${query}`
}

function chipsOf(
  request: ApiRequest,
  registry: Registry,
  { types }: Search,
  { counts }: SearchOutcome,
): readonly TypeChip[] {
  const nameOf = pluralsApart([...counts.keys()].map((type) => registry.model(type)))
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  const chips = [...registry.models.values()].flatMap((model): TypeChip[] => {
    const count = counts.get(model.name)
    if (count === undefined) return []
    const href = withParameter(request, 'obj_types', model.name)
    const isCurrent = types?.includes(model.name) ?? false
    return [{ label: nameOf(model), count, href, isCurrent }]
  })
  const everything = withParameter(request, 'obj_types', undefined)
  return [{ label: translate('All'), count: total, href: everything, isCurrent: types === undefined }, ...chips]
}

/** The results by type, in the order of each type's best match. */
async function groupsOf(
  request: ApiRequest,
  { types }: Search,
  { outcome, results }: SearchResults,
): Promise<readonly ResultGroup[]> {
  const { registry } = request.service
  const nameOf = pluralsApart([...outcome.counts.keys()].map((type) => registry.model(type)))
  const parsed = results.map(({ match, object }) => ({ match, object: parseObject(object) }))
  const options = await displayOptionsOf(
    request,
    parsed.map(({ object }) => object),
  )
  return [...Map.groupBy(parsed, ({ match }) => match.type)].map(([type, list]) => {
    const model = registry.model(type)
    const count = outcome.counts.get(type) ?? list.length
    const isWhole = types !== undefined || count <= list.length
    return {
      label: count === 1 ? shownTitle(model) : nameOf(model),
      count,
      more: isWhole ? undefined : withParameter(request, 'obj_types', type),
      objects: list.map(({ match, object }) =>
        foundObject(registry, model, { field: match.field, value: match.value, object }, options),
      ),
    }
  })
}

function parseObject(text: string): JsonObject {
  const object = JSON.parse(text) as Json // produced by this process
  return isJsonObject(object) ? object : {}
}

interface ShownMatch {
  readonly field: string
  readonly value: string
  readonly object: JsonObject
}

function foundObject(
  registry: Registry,
  model: Model,
  { field, value, object }: ShownMatch,
  options: DisplayOptions,
): SearchResult {
  const fields = registry.view(model).search?.shown ?? []
  const facts = fields.flatMap((name) => {
    const display = name === field ? EMPTY : valueDisplay(model.fields.get(name), object[name], options)
    return display === EMPTY ? [] : [{ label: fieldLabel(registry, model, name), value: display }]
  })
  const isName = value === object.display
  const label = field.startsWith('cf_') ? field.slice(3) : fieldLabel(registry, model, field)
  return {
    name: linkToObject(object, options),
    match: isName ? undefined : { label, value },
    facts,
  }
}

function pagerOf(request: ApiRequest, { offset, limit }: Search, { count, outcome }: SearchResults): Content {
  const at = (position: number): string => {
    const query = new URLSearchParams(request.search)
    query.delete(OPENS_OBJECT)
    query.set('offset', String(position))
    return `?${query}`
  }
  const length = outcome.matches.length
  return pager({
    count,
    offset,
    length,
    previous: offset > 0 ? at(Math.max(0, offset - limit)) : undefined,
    next: offset + length < count ? at(offset + limit) : undefined,
  })
}
