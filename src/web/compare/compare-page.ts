import type { ApiRequest } from '../../api/api-request.ts'
import { ID } from '../../api/routes.ts'
import { ApiError } from '../../base/errors.ts'
import { hasHistory } from '../../db/versions/versioned-tables.ts'
import { mayAct, requirePermission } from '../../identity/permitted-rows.ts'
import { historyBegins } from '../../read/as-of/past-timestamp.ts'
import { lastValue } from '../../read/query/last-value.ts'
import type { JsonObject } from '../../schema/json.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { mainOf } from '../../service.ts'
import { shownPlural } from '../components/model-title.ts'
import { shownName } from '../components/shown-name.ts'
import { timeInputValue } from '../components/time-form.ts'
import { timestampDisplay } from '../components/value.ts'
import type { FilteredList } from '../data/count-lists.ts'
import { readOne } from '../data/page-objects.ts'
import type { RequestedObject } from '../frame/object-content.ts'
import { objectHeading } from '../frame/object-heading.ts'
import type { Crumb } from '../frame/page.ts'
import type { ModelPageRow } from '../frame/page-endpoint.ts'
import { type PageResponse, sentenceOf } from '../frame/page-frame.ts'
import { type Content, type Html, html } from '../html.ts'
import { filtersIn } from '../lists/list-query.ts'
import { changeTable } from '../object-parts/change-summary.ts'
import { listsOfChildren } from '../object-parts/children.ts'
import { translate, translateMarkup } from '../texts/translate.ts'
import { actionOf, MOST_COMPARED, netChanges, type TimeSpan } from './net-changes.ts'

const PATH = 'compare/'
const [FROM, TO] = ['compare_from', 'compare_to'] as const
const DAY = 86_400_000
/** Days before now at which the comparison begins, unless the address says so; the others are one click away. */
const DAYS = [1, 7, 30] as const
const USUAL_DAYS = 7

/** The pages of a model with a history that compare two times: its list, and its objects. */
export const comparePages = (model: Model): readonly ModelPageRow[] =>
  isCompared(model)
    ? [
        [PATH, 'GET', compareList],
        [`${ID}/${PATH}`, 'GET', compareObject],
      ]
    : []

const isCompared = (model: Model): boolean => model.has('changeLogging') && hasHistory(model)

/** Whether the sender may compare objects of the model: the comparison consists of change records. */
const mayCompare = ({ actor, service }: ApiRequest, model: Model): boolean =>
  isCompared(model) &&
  !service.branch &&
  mayAct(actor, 'view', service.registry.model(SYSTEM.objectChange), service.settings)

/** The address at which an object is compared; undefined for users who may not compare. */
export const compareObjectAddress = ({ request, model, object }: RequestedObject): string | undefined =>
  mayCompare(request, model)
    ? `${request.service.settings.basePath}${pagePathOf(model)}${Number(object.id)}/${PATH}`
    : undefined

/** The same for a list with its filters. */
export const compareListAddress = (request: ApiRequest, model: Model): string | undefined =>
  mayCompare(request, model)
    ? `${request.service.settings.basePath}${pagePathOf(model)}${PATH}?${filtersIn(request.search).toString()}`
    : undefined

async function compareList(request: ApiRequest, model: Model): Promise<PageResponse> {
  requirePermission(request.actor, 'view', model, request.service.settings)
  const filters = new URLSearchParams(filtersIn(request.search))
  for (const name of [FROM, TO]) filters.delete(name)
  const list = pagePathOf(model) ?? '/'
  const title = translate('Compare two times')
  return await comparison(request, {
    ...{ model, filters, title: `${shownPlural(model)}: ${title}` },
    heading: html`<div class="heading"><h1>${shownPlural(model)}</h1></div>${filters.size > 0 && html`<p class="muted">${translate('Only objects that match the filters at one of the two times are compared.')}</p>`}`,
    lists: [{ model, query: filters }],
    breadcrumbs: [
      { label: shownPlural(model), path: list },
      { label: title, path: `${list}${PATH}` },
    ],
  })
}

async function compareObject(request: ApiRequest, model: Model): Promise<PageResponse> {
  const { object } = await readOne(request, model)
  const { registry } = request.service
  const { overview = [], tables = [], tabs = [] } = registry.view(model)
  const list = pagePathOf(model) ?? '/'
  const name = shownName(registry, object)
  const title = translate('Compare two times')
  const children = listsOfChildren(registry, [...overview, ...tables, ...tabs], object)
  return await comparison(request, {
    ...{ model, filters: new URLSearchParams(), title: `${name}: ${title}` },
    heading: objectHeading({ request, model, object }),
    lists: [
      { model, query: new URLSearchParams({ id: String(object.id) }) },
      ...children.filter((child) => isCompared(child.model)),
    ],
    breadcrumbs: [
      { label: shownPlural(model), path: list },
      { label: name, path: `${list}${object.id}/` },
      { label: title, path: `${list}${object.id}/${PATH}` },
    ],
  })
}

interface Comparison {
  readonly model: Model
  readonly title: string
  readonly heading: Content
  /** Parameters that the form keeps. */
  readonly filters: URLSearchParams
  readonly lists: readonly FilteredList[]
  readonly breadcrumbs: readonly Crumb[]
}

async function comparison(request: ApiRequest, page: Comparison): Promise<PageResponse> {
  const { actor, service } = request
  requirePermission(actor, 'view', service.registry.model(SYSTEM.objectChange), service.settings)
  const { content, status, span } = await contentOf(request, page)
  return {
    title: page.title,
    model: page.model,
    status,
    styles: ['objects.css', 'object.css', 'compare.css'],
    breadcrumbs: page.breadcrumbs,
    body: html`${page.heading}${spanForm(request, page.filters, span)}${content}`,
  }
}

interface Compared {
  readonly content: Content
  readonly status: number
  readonly span: TimeSpan
}

async function contentOf(request: ApiRequest, { lists }: Comparison): Promise<Compared> {
  const { span, isShortened } = await spanOf(request)
  const refused = (sentence: string): Compared => ({
    ...{ status: 400, span, content: html`<p class="notice bad" role="alert">${sentence}</p>` },
  })
  if (request.service.branch) return refused(translate('Past states of a branch are not stored. Switch to main.'))
  if (span.to !== undefined && Date.parse(span.to) <= Date.parse(span.from)) {
    return refused(translate('The second time must be after the first.'))
  }
  try {
    const { records, hasMore } = await netChanges(request, lists, span)
    const begins = translateMarkup('The history begins at {time}.', { time: timestampDisplay(span.from) })
    const result = await resultOf(request, records, hasMore)
    return { status: 200, span, content: html`${isShortened && html`<p class="notice warn">${begins}</p>`}${result}` }
  } catch (error) {
    if (!(error instanceof ApiError) || error.reason.kind !== 'invalid') throw error
    return refused(sentenceOf(error))
  }
}

/** The span of the address; without one, the last days until now. It is shortened if the history begins later. */
async function spanOf({ search, service }: ApiRequest): Promise<{ span: TimeSpan; isShortened: boolean }> {
  const [asked, to] = [utc(lastValue(search, FROM)), utc(lastValue(search, TO))]
  const from = asked ?? daysAgo(service.clock.now(), USUAL_DAYS)
  const begins = await historyBegins(mainOf(service).database)
  const isTooEarly = Date.parse(from) < Date.parse(begins)
  return { span: { from: isTooEarly ? begins : from, to }, isShortened: isTooEarly && asked !== undefined }
}

/** Browsers send times without a zone. */
function utc(text: string | undefined): string | undefined {
  if (text === undefined || text.trim() === '') return undefined
  const time = Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text}Z`)
  return Number.isNaN(time) ? undefined : new Date(time).toISOString()
}

const daysAgo = (now: number, days: number): string => new Date(now - days * DAY).toISOString()

/** The query of the same page with another span. */
function spanQuery({ search }: ApiRequest, { from, to }: TimeSpan): string {
  const query = new URLSearchParams(search)
  query.set(FROM, from)
  if (to === undefined) query.delete(TO)
  else query.set(TO, to)
  return query.toString()
}

function spanForm(request: ApiRequest, filters: URLSearchParams, { from, to }: TimeSpan): Html {
  const now = request.service.clock.now()
  const input = (name: string, label: string, value: string | undefined): Html =>
    html`<label><span>${label}</span> <input type="datetime-local" step="1" name="${name}" value="${timeInputValue(value)}"></label>`
  const latest = DAYS.map((days) => {
    const query = spanQuery(request, { from: daysAgo(now, days), to: undefined })
    return html` <a class="button quiet small" href="?${query}">${translate('Last day|Last {count} days', { count: days })}</a>`
  })
  return html`<form class="card compare-form" method="get">${[...filters].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}<p>${translate('What changed between these times (UTC)?')}</p>
<div>${input(FROM, translate('From'), from)}${input(TO, translate('To (empty: now)'), to)}<button>${translate('Compare')}</button></div><p>${latest}</p></form>`
}

async function resultOf(request: ApiRequest, records: readonly JsonObject[], hasMore: boolean): Promise<Content> {
  if (records.length === 0) return html`<p class="notice">${translate('Nothing has changed between these times.')}</p>`
  const count = (action: string): number => records.filter((record) => actionOf(record) === action).length
  const parts = [
    translate('{count} created', { count: count('create') }),
    translate('{count} changed', { count: count('update') }),
    translate('{count} deleted', { count: count('delete') }),
  ]
  const byAction = ['create', 'update', 'delete'].flatMap((action) =>
    records.filter((record) => actionOf(record) === action),
  )
  return html`<section class="card"><h2>${translate('Differences')}</h2><p>${parts.join(' · ')}</p>
${hasMore && html`<p class="notice warn">${translate('Only the {count} objects that were changed last are compared. Choose a shorter time.', { count: MOST_COMPARED })}</p>`}
${await changeTable(request, byAction)}</section>`
}
