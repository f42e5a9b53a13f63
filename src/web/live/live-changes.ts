import { RELATIONS } from '../../api/actions/core/events.ts'
import type { ApiRequest } from '../../api/api-request.ts'
import { forbidden } from '../../base/errors.ts'
import { EVENT_OF_ACTION } from '../../changes/stream/event-names.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
import { lastValue } from '../../read/query/last-value.ts'
import type { Choice } from '../../schema/choices.ts'
import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { type Control, controlField, type Option } from '../components/control.ts'
import { modelOptions, shownTitle } from '../components/model-title.ts'
import { timestampDisplay } from '../components/value.ts'
import { type ApiRoutes, askApi, jsonOf } from '../data/ask-api.ts'
import { pageOfObject } from '../data/display-options.ts'
import type { PageResponse } from '../frame/page-frame.ts'
import { type Html, html } from '../html.ts'
import { changedFields, fieldChanges } from '../object-parts/field-changes.ts'
import { translate, translateLabel } from '../texts/translate.ts'

/** Address of the page, below the base path. */
export const LIVE_CHANGES = '/core/events/'

const TITLE = 'Live'
/** Number of positions that are read for the page; some of them belong to other events. */
const WINDOW = 500
/** Rows of the page. */
const SHOWN = 50

/** Filters by the slugs of objects: their names, and the models of these. */
const OBJECT_FILTERS: readonly (readonly [string, string])[] = [
  ...Object.entries(RELATIONS).flatMap(([name, { model, by }]) => (by === 'slug' ? [[name, model] as const] : [])),
  ['tag', SYSTEM.tag],
]

/** GET of the latest changes of all objects that the reader may view, newest first. A script adds later ones. */
export async function liveChangesPage(routes: ApiRoutes, request: ApiRequest): Promise<PageResponse> {
  const { service, actor } = request
  const { registry, settings } = service
  const record = registry.model(SYSTEM.objectChange)
  if (!mayAct(actor, 'view', record, settings)) throw forbidden()
  const filters = filtersOf(request)
  const { events, position } = await latestEvents(routes, request, filters)
  const stream = new URLSearchParams(filters)
  stream.set('stream', 'true')
  stream.set('after', String(position))
  const title = translate(TITLE)
  const rows = await rowsOf(request, events)
  return {
    title,
    styles: ['inputs.css', 'objects.css', 'object.css', 'live.css'],
    scripts: ['edit-form.client.ts', 'live-changes.client.ts'],
    model: record,
    breadcrumbs: [{ label: title, path: LIVE_CHANGES }],
    // The script loads the page's rows again when the stream has a new event.
    body: html`<div class="heading"><h1>${title}</h1><div class="actions"><button class="quiet" type="button" id="live-pause" hidden aria-pressed="false">${translate('Pause')}</button></div></div>
${request.branches?.chosen && html`<p class="muted">${translate('These are the changes on main.')}</p>`}
<form class="card edit live-filters" method="get">${filterControls(registry, record, filters).map((control) => controlField(control, 'live'))}<button>${translate('Show')}</button></form>
<p class="muted" id="live-status" role="status">${translate('Load the page again to see new changes.')}</p>
<div class="scroll" tabindex="0" role="region" aria-label="${title}"><table class="live" id="live-changes" data-stream="${settings.basePath}/api/core/events/?${String(stream)}"><thead><tr>${HEADINGS.map((label) => html`<th scope="col">${translate(label)}</th>`)}</tr></thead>
<tbody>${rows.length === 0 ? html`<tr><td colspan="${HEADINGS.length}">${translate('No recent changes.')}</td></tr>` : rows}</tbody></table></div>`,
  }
}

/** The inputs of the filters. */
function filterControls(registry: Registry, record: Model, filters: URLSearchParams): readonly Control[] {
  const chosen = (name: string): readonly string[] => filters.getAll(name)
  const select = (name: string, label: string, options: readonly Option[]): Control => ({
    ...{ name, label },
    input: { kind: 'select', options, chosen: chosen(name), empty: translate('All') },
  })
  return [
    select(
      'object_type',
      translate('Kind of objects'),
      modelOptions(registry, (model) => model.has('changeLogging')),
    ),
    select(
      'event',
      translate('Change'),
      [...actionsByEvent(record)].map(([value, { label }]) => ({ value, label: translateLabel(label) })),
    ),
    {
      ...{ name: 'user', label: translateLabel('User') },
      input: { kind: 'text', type: 'text', value: lastValue(filters, 'user') ?? '' },
    },
    ...OBJECT_FILTERS.map(([name, type]): Control => {
      const model = registry.model(type)
      return {
        ...{ name, label: shownTitle(model) },
        input: {
          ...{ kind: 'objects', key: 'slug', isMultiple: false, collection: `/api/${model.path}/` },
          chosen: chosen(name).map((value) => ({ value })),
        },
      }
    }),
  ]
}

const HEADINGS = ['Time', 'User', 'Change', 'Kind', 'Object', 'Fields', 'Message'] as const

/** Actions of change records by the type of their event. */
function actionsByEvent(record: Model): ReadonlyMap<string, Choice> {
  const action = record.fields.get('action')
  const list = action && 'choices' in action ? (action.choices?.list ?? []) : []
  const events: Readonly<Record<string, string>> = EVENT_OF_ACTION
  return new Map(list.map((choice) => [events[choice.value] ?? String(choice.value), choice]))
}

/** The filters in the URL that have a value. */
function filtersOf(request: ApiRequest): URLSearchParams {
  const names = ['object_type', 'event', 'user', ...OBJECT_FILTERS.map(([name]) => name)]
  return new URLSearchParams(
    names.flatMap((name) => {
      const value = lastValue(request.search, name)?.trim() ?? ''
      return value === '' ? [] : [[name, value] as [string, string]]
    }),
  )
}

/** The latest events, newest first, and the position at the end of the stream. */
async function latestEvents(
  routes: ApiRoutes,
  request: ApiRequest,
  filters: URLSearchParams,
): Promise<{ readonly events: readonly JsonObject[]; readonly position: number }> {
  const ask = async (after: string | undefined, limit: number) => {
    const query = new URLSearchParams(filters)
    query.set('limit', String(limit))
    if (after !== undefined) query.set('after', after)
    const response = await askApi(routes, request, { path: 'core/events/', query })
    const document = jsonOf(response)
    return { status: response.status, document: isJsonObject(document) ? document : {} }
  }
  const end = Number((await ask('now', 1)).document.position ?? 0)
  const recent = await ask(String(Math.max(end - WINDOW, 0)), WINDOW)
  // Older events have been pruned, and fewer than a window remain.
  const { document } = recent.status === 200 ? recent : await ask(undefined, WINDOW)
  const events = Array.isArray(document.results) ? document.results.filter((result) => isJsonObject(result)) : []
  return { events: events.toReversed().slice(0, SHOWN), position: end }
}

/** The changes as rows of the table. */
async function rowsOf(request: ApiRequest, events: readonly JsonObject[]): Promise<readonly Html[]> {
  const { registry, settings } = request.service
  const { basePath } = settings
  const records = events.map((event) => ({
    ...event,
    id: event.change_id ?? null,
    changed_object_type: event.object_type ?? null,
  }))
  const changes = await fieldChanges(request, records)
  const record = registry.model(SYSTEM.objectChange)
  const recordPath = pagePathOf(record)
  const actions = actionsByEvent(record)
  return events.map((event): Html => {
    const model = registry.models.get(String(event.object_type))
    const page = typeof event.object_url === 'string' ? pageOfObject(registry, event.object_url) : undefined
    const fields = changes.get(Number(event.change_id)) ?? []
    const action = actions.get(String(event.event))
    const name = String(event.object_repr)
    const object =
      page === undefined ? html`<bdi>${name}</bdi>` : html`<a href="${basePath}${page}"><bdi>${name}</bdi></a>`
    const labels = fields.map(({ label }) => label)
    return html`<tr data-position="${Number(event.position)}"><td><a href="${basePath}${recordPath}${Number(event.change_id)}/">${timestampDisplay(String(event.time))}</a></td><td>${String(event.user_name)}</td><td>${action && html`<span class="badge ${action.colour ?? ''}">${translateLabel(action.label)}</span>`}</td><td>${model ? shownTitle(model) : String(event.object_type)}</td><td>${object}</td><td>${labels.length > 0 && html`<details><summary>${labels.slice(0, MOST_FIELDS).join(', ')}${labels.length > MOST_FIELDS && ' …'}</summary>${changedFields(fields)}</details>`}</td><td dir="auto">${String(event.message ?? '')}</td></tr>`
  })
}

/** Maximum number of field labels in a row; the details contain all of them. */
const MOST_FIELDS = 4
