/** Differences on the pages of their objects, decisions about many of them, and the candidates of ambiguous objects. */
import {
  type ApiRequest,
  type HttpResponse,
  isJsonObject,
  type Json,
  type JsonObject,
  type Model,
  pagePathOf,
  readerOf,
  requirePermission,
  sql,
  table,
} from 'cadastre'
import {
  type Content,
  csrfField,
  EMPTY,
  filtersIn,
  html,
  numeral,
  objectTable,
  type PageObject,
  type PageResponse,
  packPages,
  panel,
  refusalOf,
  seeOther,
  sending,
  timestampDisplay,
  translate,
  translateLabel,
  visibleObjects,
  withEffect,
} from 'cadastre/web'
import { acceptDrift, driftCounts, ignoreDrift } from './decisions.ts'
import { DRIFT, OBSERVATION, SOURCE } from './drift.ts'

const DECISIONS = '/plugins/observed/decisions/'

/** Differences on one page; there are more of them in the list. */
const MOST = 200

/** A stored value in words: of an object its name. */
function valueText(value: Json | undefined): Content {
  if (value === null || value === undefined || value === '') return EMPTY
  if (isJsonObject(value)) return html`<bdi>${String(value.name ?? value.type ?? JSON.stringify(value))}</bdi>`
  return html`<bdi>${typeof value === 'string' ? value : JSON.stringify(value)}</bdi>`
}

const choiceText = (value: Json | undefined): Content =>
  isJsonObject(value) ? translateLabel(String(value.label)) : valueText(value)

const nameOf = (value: Json | undefined): string => (isJsonObject(value) ? String(value.name ?? value.display) : '')

/** Fields to decide: an end and a reason are for ignoring only. */
const decisionForm = ({ csrfToken, url }: ApiRequest, refusal: string | undefined): Content =>
  html`<form class="card edit" method="post" id="decision" action="${url.pathname}${url.search}">${csrfField(csrfToken)}
${refusal !== undefined && html`<p class="notice bad" role="alert">${translate('Not saved.')} ${refusal}</p>`}
<label>${translate('Reason')} <input name="reason" maxlength="500"></label>
<label>${translate('Ignore until')} <input name="until" type="date"></label>
<div class="buttons"><button name="decision" value="accept">${translate('Accept')}</button> <button class="quiet" name="decision" value="ignore">${translate('Ignore')}</button></div></form>`

/** Carries out what the form of the request says; returns why it was refused, if it was. */
async function decide(
  request: ApiRequest,
  query: URLSearchParams,
  ids?: readonly number[],
): Promise<string | undefined> {
  const form = new Map(await request.body.form())
  const text = (name: string): string => String(form.get(name)?.[0] ?? '')
  const isIgnored = text('decision') === 'ignore'
  const until = text('until') === '' ? {} : { until: `${text('until')}T00:00:00Z` }
  const chosen = form.get('id')?.map(Number)
  const body = { ...(ids && { ids: chosen ?? ids }), ...(isIgnored && { reason: text('reason'), ...until }) }
  const inner = { ...sending(request, 'POST', body), search: query }
  return await refusalOf(() => (isIgnored ? ignoreDrift(inner) : acceptDrift(inner)))
}

/** The visible differences of an object. */
const driftOf = ({ request, model, object }: PageObject): Promise<readonly JsonObject[]> =>
  readerOf(request).objects(DRIFT, new URLSearchParams({ object_type: model.name, object_id: String(object.id) }))

/** What sources have observed of the object, and its differences from that. */
async function objectTab(
  page: PageObject,
): Promise<{ readonly content: Content; readonly status: number } | HttpResponse> {
  const { request, model, object } = page
  let refusal: string | undefined
  if (request.method === 'POST') {
    const ids = (await driftOf(page)).map(({ id }) => Number(id))
    refusal = await decide(request, new URLSearchParams(), ids)
    if (refusal === undefined) return seeOther(withEffect(request.url.pathname, 'done', request))
  }
  const [items, seen] = await Promise.all([
    driftOf(page),
    readerOf(request).rows<readonly [id: number, source: string, seen: string, by: string]>(sql`
      select t.id, s.name, t.last_seen, t.matched_by from ${table(OBSERVATION)} t
      join ${table(SOURCE)} s on s.id = t.source_id
      where t.object_type = ${model.name} and t.object_id = ${Number(object.id)}::bigint order by t.last_seen desc, t.id`),
  ])
  const counts = Map.groupBy(items, ({ observation }) => (isJsonObject(observation) ? Number(observation.id) : 0))
  const content = html`${
    seen.length === 0
      ? html`<p class="notice">${translate('No source has observed this object.')}</p>`
      : html`<ul>${seen.map(
          ([id, source, at, by]) =>
            html`<li>${translate('Observed by {source}, found by {key}, differences: {count}', { source, key: by, count: counts.get(id)?.length ?? 0 })} (${timestampDisplay(at)})</li>`,
        )}</ul>`
  }${items.length > 0 && html`${differencesTable(items)}${decisionForm(request, refusal)}`}`
  return { content, status: refusal === undefined ? 200 : 400 }
}

const differencesTable = (items: readonly JsonObject[]): Content =>
  objectTable({
    label: translate('Differences'),
    selectionForm: 'decision',
    columns: ['Field', 'Change', 'Observed', 'Inventory', 'Status', 'Source'].map((name) => ({
      name,
      label: translateLabel(name),
    })),
    rows: items.map(({ id, field, change, observed, current, status, source, reason }) => ({
      id: Number(id),
      label: String(field),
      cells: [
        field === '' ? EMPTY : html`<bdi>${String(field)}</bdi>`,
        choiceText(change),
        valueText(observed),
        valueText(current),
        html`${choiceText(status)}${reason !== '' && html` <small>${String(reason)}</small>`}`,
        html`<bdi>${nameOf(source)}</bdi>`,
      ],
    })),
  })

/** GET: how many differences the filters find. POST: accepts or ignores all of them. */
async function decisionsPage(request: ApiRequest): Promise<PageResponse> {
  const { actor, service, search } = request
  const model = service.registry.model(DRIFT)
  requirePermission(actor, 'view', model, service.settings)
  const list = pagePathOf(model) ?? '/'
  let refusal: string | undefined
  if (request.method === 'POST') {
    refusal = await decide(request, search)
    if (refusal === undefined) return seeOther(withEffect(`${service.settings.basePath}${list}`, 'done', request))
  }
  const counts = await driftCounts(request)
  const count = counts.reduce((sum, { count }) => sum + count, 0)
  const title = translate('Decide about all')
  return {
    title,
    styles: ['objects.css', 'inputs.css'],
    breadcrumbs: [
      { label: translateLabel(model.definition.labels[1]), path: list },
      { label: title, path: DECISIONS },
    ],
    ...(refusal !== undefined && { status: 400 }),
    body: html`<div class="heading"><h1>${title} <small>${numeral(count)}</small></h1></div>
${panel(
  translate('Differences'),
  objectTable({
    label: translate('Differences'),
    columns: ['Source', 'Type', 'Site', 'Change', 'Status', 'Count'].map((name) => ({
      name,
      label: translateLabel(name),
    })),
    rows: counts.map((row, index) => ({
      id: index,
      label: String(row.source),
      cells: Object.values(row).map(valueText),
    })),
  }),
)}${decisionForm(request, refusal)}`,
  }
}

/** The objects that an ambiguous one may be, with links. */
async function candidatesOf(request: ApiRequest, kind: string, ids: readonly number[]): Promise<Content> {
  const model = request.service.registry.models.get(kind)
  if (!model) return EMPTY
  const objects = await visibleObjects(request, model, ids, ['id', 'display'])
  const path = `${request.service.settings.basePath}${pagePathOf(model)}`
  return html`<ul>${[...objects].map(([id, { display }]) => html`<li><a href="${path}${id}/"><bdi>${String(display)}</bdi></a></li>`)}</ul>`
}

/** Ambiguous objects: that of the page, or those of a run. */
async function ambiguousPart({ request, model, object }: PageObject): Promise<{ readonly right?: Content }> {
  const isThis =
    model.name === OBSERVATION ? sql`t.id = ${Number(object.id)}::bigint` : sql`t.run_id = ${Number(object.id)}::bigint`
  const rows = await readerOf(request).rows<readonly [label: string, kind: string, by: string, ids: number[]]>(sql`
    select t.label, t.kind, t.matched_by, t.candidates from ${table(OBSERVATION)} t
    where t.state = 'ambiguous' and ${isThis} order by t.label, t.id limit ${MOST}::int`)
  if (rows.length === 0) return {}
  const entries = await Promise.all(
    rows.map(
      async ([label, kind, by, ids]) =>
        html`<p>${translate('{object} may be one of these, found by {key}:', { object: label, key: by })}</p>${await candidatesOf(request, kind, ids.map(Number))}`,
    ),
  )
  return { right: panel(translateLabel('Ambiguous'), html`${entries}`) }
}

const isObserved = ({ name, path }: Model): boolean => path !== '' && !/^(core|users|extras|observed)\./.test(name)

export default packPages({
  pages: [[DECISIONS, 'GET POST', decisionsPage]],
  tabs: [
    {
      models: isObserved,
      path: 'observed',
      label: () => translate('Observed'),
      methods: 'GET POST',
      isHiddenIfEmpty: true,
      list: ({ model }, { name }, { id }) => ({
        model: model(OBSERVATION),
        query: new URLSearchParams({ object_type: name, object_id: String(id) }),
      }),
      isCounted: false,
      load: objectTab,
    },
  ],
  parts: [{ models: [OBSERVATION, 'observed.run'], load: ambiguousPart }],
  listLinks: [
    ({ service, search }, { name }) =>
      name === DRIFT &&
      html`<a class="button quiet" href="${service.settings.basePath}${DECISIONS}?${String(filtersIn(search))}">${translate('Decide about all')}</a>`,
  ],
})
