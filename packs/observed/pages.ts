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
  choiceLabel,
  csrfField,
  EMPTY,
  emptyList,
  fieldLabel,
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
  shownPlural,
  shownTitle,
  timestampDisplay,
  translate,
  translateLabel,
  visibleObjects,
  withEffect,
} from 'cadastre/web'
import { acceptDrift, differencesNow, driftCounts, ignoreDrift } from './decisions.ts'
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

/** The value of a choice. */
const choiceOf = (value: Json | undefined): Json | undefined => (isJsonObject(value) ? value.value : value)

/** The label of a choice of differences. */
function choiceText({ service }: ApiRequest, field: 'change' | 'status', value: Json | undefined): Content {
  const chosen = choiceOf(value)
  const label = choiceLabel(service.registry.model(DRIFT).fields.get(field), chosen ?? null)
  return label === undefined ? valueText(chosen) : translateLabel(label)
}

/** The name of a type such as `dcim.device`, or of one of its fields. */
function typeText({ service: { registry } }: ApiRequest, kind: Json | undefined, field?: string): Content {
  const model = registry.models.get(String(kind))
  if (field === '' || !model) return valueText(field ?? kind)
  if (field === undefined) return shownTitle(model)
  return model.fields.has(field) ? fieldLabel(registry, model, field) : html`<bdi>${field}</bdi>`
}

const nameOf = (value: Json | undefined): string => (isJsonObject(value) ? String(value.name ?? value.display) : '')

interface Decision {
  /** Digest of the differences that the page shows. */
  readonly shown: string
  /** Number of objects that acceptance deletes. */
  readonly missing: number
  /** Why the last decision was refused. */
  readonly refusal: string | undefined
}

/** Fields to decide: an end and a reason are for ignoring only, which is also what the key Enter does in them. */
const decisionForm = ({ csrfToken, url }: ApiRequest, { shown, missing, refusal }: Decision): Content =>
  html`${
    missing > 0 &&
    html`<p class="notice warn">${translate('Accepting will delete {count} object that is missing. You can undo this from the change log.|Accepting will delete {count} objects that are missing. You can undo this from the change log.', { count: missing })}</p>`
  }<form class="card edit" method="post" id="decision" action="${url.pathname}${url.search}">${csrfField(csrfToken)}<input type="hidden" name="shown" value="${shown}">
${refusal !== undefined && html`<p class="notice bad" role="alert">${translate('Not saved.')} ${refusal}</p>`}
<label>${translate('Reason to ignore')} <input name="reason" maxlength="500"></label>
<label>${translate('Ignore until')} <input name="until" type="date"></label>
<div class="buttons"><button class="quiet" name="decision" value="ignore">${translate('Ignore')}</button> <button name="decision" value="accept">${translate('Accept')}</button></div></form>`

/**
 * Carries out what the form of the request says about the selected differences, or about all that the page has shown,
 * which are those that the filters find. Returns why it was refused, if it was.
 */
async function decide(request: ApiRequest, filters: URLSearchParams): Promise<string | undefined> {
  const form = new Map(await request.body.form())
  const text = (name: string): string => String(form.get(name)?.[0] ?? '')
  const { ids, digest } = await differencesNow(request, filters)
  const selected = form.get('id')?.map(Number)
  if (selected === undefined && digest !== text('shown')) {
    return translate('The differences have changed since this page was opened. Check them again.')
  }
  const isIgnored = text('decision') === 'ignore'
  const until = text('until') === '' ? {} : { until: `${text('until')}T00:00:00Z` }
  const body = { ids: selected ?? ids, ...(isIgnored && { reason: text('reason'), ...until }) }
  const inner = { ...sending(request, 'POST', body), search: filters }
  return await refusalOf(() => (isIgnored ? ignoreDrift(inner) : acceptDrift(inner)))
}

/** The filters that find the differences of an object. */
const filtersOf = ({ model, object }: PageObject): URLSearchParams =>
  new URLSearchParams({ object_type: model.name, object_id: String(object.id) })

/** What sources have observed of the object, and its differences from that. */
async function objectTab(
  page: PageObject,
): Promise<{ readonly content: Content; readonly styles: typeof STYLES; readonly status: number } | HttpResponse> {
  const { request, model, object } = page
  const { settings, registry } = request.service
  let refusal: string | undefined
  if (request.method === 'POST') {
    refusal = await decide(request, filtersOf(page))
    if (refusal === undefined) {
      // An object that was missing has been deleted.
      const isPresent = (await visibleObjects(request, model, [Number(object.id)], ['id'])).size > 0
      const list = `${settings.basePath}${pagePathOf(registry.model(DRIFT))}`
      return seeOther(withEffect(isPresent ? request.url.pathname : list, 'done', request))
    }
  }
  // Read first: what changes after that is refused.
  const { digest: shown } = await differencesNow(request, filtersOf(page))
  const [items, seen] = await Promise.all([
    readerOf(request).objects(DRIFT, filtersOf(page)),
    readerOf(request).rows<readonly [id: number, source: string, seen: string, by: string]>(sql`
      select t.id, s.name, t.last_seen, t.matched_by from ${table(OBSERVATION)} t
      join ${table(SOURCE)} s on s.id = t.source_id
      where t.object_type = ${model.name} and t.object_id = ${Number(object.id)}::bigint order by t.last_seen desc, t.id`),
  ])
  const counts = Map.groupBy(items, ({ observation }) => (isJsonObject(observation) ? Number(observation.id) : 0))
  const missing = items.filter(({ change }) => choiceOf(change) === 'missing').length
  const content = html`${
    seen.length === 0
      ? html`<p class="notice">${translate('No source has observed this object.')}</p>`
      : html`<ul class="plain">${seen.map(
          ([id, source, at, by]) =>
            html`<li>${translate('Observed by {source}, found by {key}, differences: {count}', { source, key: by, count: counts.get(id)?.length ?? 0 })} (${timestampDisplay(at)})</li>`,
        )}</ul>`
  }${items.length > 0 && html`${differencesTable(request, items)}${decisionForm(request, { shown, missing, refusal })}`}`
  return { content, styles: STYLES, status: refusal === undefined ? 200 : 400 }
}

const STYLES = ['objects.css', 'lists.css', 'edit.css', 'inputs.css'] as const

const differencesTable = (request: ApiRequest, items: readonly JsonObject[]): Content =>
  objectTable({
    label: translate('Differences'),
    selectionForm: 'decision',
    columns: [
      ['field', translateLabel('Field')],
      ['change', translateLabel('Change')],
      ['observed', translate('Observed')],
      ['current', translate('In the inventory')],
      ['status', translateLabel('Status')],
      ['source', translateLabel('Source')],
    ].map(([name = '', label = '']) => ({ name, label })),
    rows: items.map(({ id, kind, field, change, observed, current, status, source, reason }) => ({
      id: Number(id),
      label: String(field),
      cells: [
        typeText(request, kind, String(field)),
        choiceText(request, 'change', change),
        valueText(observed),
        valueText(current),
        html`${choiceText(request, 'status', status)}${reason !== '' && html` <small>${String(reason)}</small>`}`,
        html`<bdi>${nameOf(source)}</bdi>`,
      ],
    })),
  })

/** GET: how many differences the filters find. POST: accepts or ignores all of them. Without filters it only counts. */
async function decisionsPage(request: ApiRequest): Promise<PageResponse> {
  const { actor, service, search } = request
  const model = service.registry.model(DRIFT)
  requirePermission(actor, 'view', model, service.settings)
  const list = pagePathOf(model) ?? '/'
  const isFiltered = filtersIn(search).size > 0
  let refusal: string | undefined
  if (request.method === 'POST' && isFiltered) {
    refusal = await decide(request, search)
    if (refusal === undefined) return seeOther(withEffect(`${service.settings.basePath}${list}`, 'done', request))
  }
  // Read first: what changes after that is refused.
  const { digest: shown } = await differencesNow(request, search)
  const counts = await driftCounts(request)
  const count = counts.reduce((sum, { count }) => sum + count, 0)
  const missing = counts.reduce((sum, { change, count }) => sum + (change === 'missing' ? count : 0), 0)
  const title = translate('Decide about all')
  return {
    title,
    model,
    styles: STYLES,
    breadcrumbs: [
      { label: shownPlural(model), path: list },
      { label: title, path: DECISIONS },
    ],
    ...(refusal !== undefined && { status: 400 }),
    body: html`<div class="heading"><h1>${title} <span class="count">${numeral(count)}</span></h1></div>
${
  count === 0
    ? emptyList(request, model)
    : html`${panel(
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
            cells: [
              valueText(row.source),
              typeText(request, row.kind),
              valueText(row.site),
              choiceText(request, 'change', row.change),
              choiceText(request, 'status', row.status),
              numeral(row.count),
            ],
          })),
        }),
      )}${
        isFiltered
          ? decisionForm(request, { shown, missing, refusal })
          : html`<p class="notice">${translate('Filter the list of differences to decide about all that the filters find.')}</p>`
      }`
}`,
  }
}

/** Lists of some of these objects, with links. */
async function objectLists(request: ApiRequest, kind: string, ids: readonly number[]) {
  const model = request.service.registry.models.get(kind)
  if (!model) return () => EMPTY
  const objects = await visibleObjects(request, model, ids, ['id', 'display'])
  const path = `${request.service.settings.basePath}${pagePathOf(model)}`
  const item = (id: number): Content => {
    const object = objects.get(id)
    return object && html`<li><a href="${path}${id}/"><bdi>${String(object.display)}</bdi></a></li>`
  }
  return (some: readonly number[]): Content => html`<ul>${some.map(item)}</ul>`
}

/** Ambiguous objects: that of the page, or those of a run. */
async function ambiguousPart({ request, model, object }: PageObject): Promise<{ readonly right?: Content }> {
  const isThis =
    model.name === OBSERVATION ? sql`t.id = ${Number(object.id)}::bigint` : sql`t.run_id = ${Number(object.id)}::bigint`
  const rows = await readerOf(request).rows<readonly [label: string, kind: string, by: string, ids: number[]]>(sql`
    select t.label, t.kind, t.matched_by, t.candidates from ${table(OBSERVATION)} t
    where t.state = 'ambiguous' and ${isThis} order by t.label, t.id limit ${MOST}::int`)
  if (rows.length === 0) return {}
  const lists = new Map<string, (ids: readonly number[]) => Content>()
  for (const [kind, ofKind] of Map.groupBy(rows, ([, kind]) => kind)) {
    const candidates = ofKind.flatMap(([, , , ids]) => ids.map(Number))
    lists.set(kind, await objectLists(request, kind, candidates))
  }
  const entries = rows.map(
    ([label, kind, by, ids]) =>
      html`<p>${translate('{object} may be one of these, found by {key}:', { object: label, key: by })}</p>${lists.get(kind)?.(ids.map(Number))}`,
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
      filtersIn(search).size > 0 &&
      html`<a class="button quiet" href="${service.settings.basePath}${DECISIONS}?${String(filtersIn(search))}">${translate('Decide about all')}</a>`,
  ],
})
