import type { ApiRequest } from '../../api/api-request.ts'
import { ApiError } from '../../base/errors.ts'
import { mayAct, requirePermission, rowSecurityOf } from '../../identity/permitted-rows.ts'
import { T } from '../../read/query/alias.ts'
import { cachedResult } from '../../read/query/cached-column.ts'
import { columnOf } from '../../read/query/column.ts'
import { lastValue } from '../../read/query/last-value.ts'
import { allVisible } from '../../read/query/row-predicate.ts'
import { applyRowSecurity } from '../../read/query/row-security.ts'
import { enabledRules, type StoredRule, severitiesOf, usableRules } from '../../read/rules/compile-rule.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { mainOf } from '../../service.ts'
import { join, type Sql, sql, volatile } from '../../sql/fragment.ts'
import { systemTable, table, tableOfTypes } from '../../sql/table.ts'
import { fieldLabel } from '../components/field-label.ts'
import { shownPlural, shownTitle } from '../components/model-title.ts'
import { type ObjectColumn, type ObjectRow, objectTable } from '../components/object-table.ts'
import { panel } from '../components/panel.ts'
import { percent } from '../components/utilization-bar.ts'
import { choiceColour, choiceLabel, EMPTY } from '../components/value.ts'
import { visibleObjects } from '../data/page-objects.ts'
import type { PageResponse } from '../frame/page-frame.ts'
import { type Content, type Html, html } from '../html.ts'
import { emptyList } from '../lists/empty-list.ts'
import { numeral, translate, translateLabel } from '../texts/translate.ts'

/** Path of the page, below the base path. */
export const SCORES = '/extras/findings/scores/'

/** The link from the list of findings. */
export const scoresLink = ({ service }: ApiRequest, { name }: Model): Content =>
  name === SYSTEM.finding &&
  html`<a class="button quiet" href="${service.settings.basePath}${SCORES}">${translate('Scores')}</a>`

/** The places to which findings are assigned. */
const SITE = 'dcim.site'
/** Parameters: only objects of this site; count to how many objects the rules apply, however many there are. */
const OF_SITE = 'site_id'
const COUNT_ALL = 'count'

/** Maximum number of sites: those with the most findings. */
const MOST_SITES = 100
/** Objects, summed over all rules, up to which the page judges them to say how many pass: takes about a second. */
const MOST_JUDGED = 300_000

/** Numbers of findings. */
interface Counts {
  readonly open: number
  readonly accepted: number
}

interface SiteCounts {
  readonly id: number
  readonly name: string
  /** Open findings by the severity of their rules. */
  readonly open: ReadonlyMap<string, number>
  readonly accepted: number
}

/** Objects to which a rule applies. */
interface Judged {
  readonly passed: number
  readonly all: number
}

/**
 * GET of the numbers of findings by rule and by site, of the objects that the sender may view, and the share of objects
 * that pass each rule. `?site_id=`: only objects of this site.
 */
export async function scoresPage(request: ApiRequest): Promise<PageResponse> {
  const { actor, service, search } = request
  const { registry, settings } = service
  const [finding, rule] = [registry.model(SYSTEM.finding), registry.model(SYSTEM.rule)]
  for (const model of [finding, rule]) requirePermission(actor, 'view', model, settings)
  const title = translate('Scores')
  const stored = await visibleRules(request)
  const site = /^\d{1,15}$/.exec(lastValue(search, OF_SITE) ?? '')?.[0]
  const { byRule, bySite } = await countFindings(request, stored, site)
  const shares = site === undefined ? await sharesOf(request, stored) : new Map<number, Judged>()
  const siteName = site === undefined ? undefined : await nameOfSite(request, Number(site))
  return {
    title: siteName === undefined ? title : `${siteName} · ${title}`,
    styles: ['objects.css'],
    breadcrumbs: [
      { label: shownPlural(finding), path: pagePathOf(finding) ?? '/' },
      { label: title, path: SCORES },
      ...(siteName === undefined ? [] : [{ label: siteName, path: `${SCORES}?${OF_SITE}=${site}` }]),
    ],
    body: html`<div class="heading"><h1>${title}${siteName !== undefined && html` <small><a href="${settings.basePath}${pagePathOf(registry.model(SITE))}${site}/"><bdi>${siteName}</bdi></a></small>`}</h1></div>
${
  stored.length === 0
    ? emptyList({ ...request, search: new URLSearchParams() }, rule)
    : html`<p class="muted">${translate('Findings of the objects that you may view. Accepted findings are counted apart.')}${shares === 'many' && html` ${translate('There are many objects.')} <a href="?${COUNT_ALL}">${translate('Count how many pass')}</a>`}</p>
${panel(shownPlural(rule), rulesTables(request, stored, byRule, shares === 'many' ? new Map() : shares))}
${site === undefined && panel(shownPlural(registry.model(SITE)), bySite.length === 0 ? html`<p>${translate('No site has findings.')}</p>` : sitesTable(request, bySite))}`
}`,
  }
}

/** The enabled rules that the sender may view, the gravest first. */
async function visibleRules(request: ApiRequest): Promise<readonly StoredRule[]> {
  const { database, registry, settings } = mainOf(request.service)
  const severities = severitiesOf(registry)
  const security = rowSecurityOf(request.actor, registry, settings)
  const rules = await enabledRules({ query: (statement) => database.query(applyRowSecurity(security, statement)) })
  return rules.toSorted((left, right) => severities.indexOf(left.severity) - severities.indexOf(right.severity))
}

/** Throws `notFound` for a site that the sender may not view. */
async function nameOfSite(request: ApiRequest, id: number): Promise<string> {
  const site = request.service.registry.model(SITE)
  const visible = mayAct(request.actor, 'view', site, request.service.settings)
    ? (await visibleObjects(request, site, [id], ['display'])).get(id)
    : undefined
  if (!visible) throw new ApiError({ kind: 'notFound', detail: 'Not found.' })
  return String(visible.display)
}

/** The visible findings by rule and by site, in one query. Those of no site are only counted by rule. */
async function countFindings(
  request: ApiRequest,
  rules: readonly StoredRule[],
  site: string | undefined,
): Promise<{ readonly byRule: ReadonlyMap<number, Counts>; readonly bySite: readonly SiteCounts[] }> {
  const { registry, settings } = mainOf(request.service)
  const models = [...new Set(rules.map(({ object_type: type }) => type))].flatMap(
    (type) => registry.models.get(type) ?? [],
  )
  const parts = models.map((model) => {
    const path = pathToSite(registry, model)
    const siteId = path === undefined ? sql`null::bigint` : columnOf(model, T)(path)
    return sql`
      select f.rule_id, ${siteId} as site, f.accepted_until is not null and f.accepted_until >= ${volatile`now()`} as accepted
      from ${tableOfTypes(SYSTEM.finding, 'object_type', [model.name])} f join ${table(model)} t on t.id = f.object_id
      where f.object_type = ${model.name}`
  })
  if (parts.length === 0) return { byRule: new Map(), bySite: [] }
  const ofSite = site === undefined ? sql`` : sql` where q.site = ${site}::bigint`
  const rows = await cachedResult(
    mainOf(request.service),
    applyRowSecurity(
      rowSecurityOf(request.actor, registry, settings),
      sql`
        select g.rule, g.site, s.name, g.severity, g.accepted, g.count from (
          select q.rule_id as rule, q.site, r.severity, q.accepted, count(*) as count
          from (${join(parts, ' union all ')}) q join ${table(SYSTEM.rule)} r on r.id = q.rule_id${ofSite}
          group by grouping sets ((q.rule_id, q.accepted), (q.site, r.severity, q.accepted))) g
        left join ${table(SITE)} s on s.id = g.site`,
    ),
  )
  const byRule = new Map<number, Counts>()
  const bySite = new Map<number, { id: number; name: string; open: Map<string, number>; accepted: number }>()
  for (const [rule, siteId, name, severity, isAccepted, number] of rows) {
    const count = Number(number)
    if (rule !== null) {
      const counts = byRule.get(Number(rule)) ?? { open: 0, accepted: 0 }
      byRule.set(Number(rule), { ...counts, [isAccepted === true ? 'accepted' : 'open']: count })
    } else if (siteId !== null) {
      const id = Number(siteId)
      const counts = bySite.get(id) ?? { id, name: String(name), open: new Map(), accepted: 0 }
      bySite.set(id, counts)
      if (isAccepted === true) counts.accepted += count
      else counts.open.set(String(severity), count)
    }
  }
  return { byRule, bySite: gravestFirst([...bySite.values()], severitiesOf(registry)) }
}

const gravestFirst = (sites: readonly SiteCounts[], severities: readonly string[]): readonly SiteCounts[] =>
  sites.toSorted((left, right) => {
    for (const severity of severities) {
      const difference = (right.open.get(severity) ?? 0) - (left.open.get(severity) ?? 0)
      if (difference !== 0) return difference
    }
    return left.name.localeCompare(right.name)
  })

/** The path from an object to its site: its own, or that of the object to which it belongs. */
function pathToSite(registry: Registry, model: Model): string | undefined {
  if (model.name === SITE) return 'id'
  const own = (candidate: Model) =>
    ['site', '_site'].find((name) => {
      const step = candidate.steps.get(name)
      return step?.kind === 'foreignKey' && step.to === registry.model(SITE)
    })
  const direct = own(model)
  if (direct !== undefined) return direct
  for (const name of model.answer) {
    const step = model.steps.get(name)
    const further = step?.kind === 'foreignKey' ? own(step.to) : undefined
    if (further !== undefined) return `${name}.${further}`
  }
  return undefined
}

/**
 * To how many visible objects each rule applies, and how many of them pass; `many` if the page does not count that many
 * objects unless it is asked to. Without the rules that read objects which the sender may not view.
 */
async function sharesOf(
  request: ApiRequest,
  stored: readonly StoredRule[],
): Promise<ReadonlyMap<number, Judged> | 'many'> {
  const { registry, settings, database } = mainOf(request.service)
  const ids = stored.map(({ id }) => id)
  const security = rowSecurityOf(request.actor, registry, settings)
  const { visibleRows } = security
  const rules = (await usableRules({ registry, database }, sql`r.id = any(${ids}::bigint[])`)).filter(
    // The filters of a dynamic group may read any objects.
    ({ reads, stored: { group } }) =>
      [...reads].every((name) => visibleRows(registry.model(name)) === 'all') &&
      (group === null || visibleRows === allVisible),
  )
  if (rules.length === 0) return new Map()
  if (!request.search.has(COUNT_ALL)) {
    const tables = rules.map(({ model }) => model.table)
    const [size] = await database.queryColumn(sql`
      select coalesce(sum(greatest(c.reltuples, 0)), 0)::float8 from unnest(${tables}::text[]) name
      join ${systemTable('pg_class')} c on c.relname = name and c.relnamespace = 'public'::regnamespace`)
    if (Number(size) > MOST_JUDGED) return 'many'
  }
  const parts = rules.map(
    ({ stored: { id }, model, value, isMember }): Sql => sql`
      select ${id}::bigint, count(*) filter (where q.passes), count(q.passes)
      from (select ${value} as passes from ${table(model)} t where ${isMember} offset 0) q`,
  )
  const rows = await cachedResult(mainOf(request.service), applyRowSecurity(security, join(parts, ' union all ')))
  return new Map(rows.map(([id, passed, all]) => [Number(id), { passed: Number(passed), all: Number(all) }]))
}

const columns = (list: readonly (readonly [name: string, label: string, kind?: 'num'])[]): readonly ObjectColumn[] =>
  list.map(([name, label, kind]) => ({ name, label, kind }))

const badgeOf = (request: ApiRequest, severity: string): Html => {
  const field = request.service.registry.model(SYSTEM.rule).fields.get('severity')
  return html`<span class="badge ${choiceColour(field, severity)}">${translateLabel(choiceLabel(field, severity) ?? severity)}</span>`
}

/** The rules with findings, and the others folded. */
function rulesTables(
  request: ApiRequest,
  rules: readonly StoredRule[],
  counts: ReadonlyMap<number, Counts>,
  shares: ReadonlyMap<number, Judged>,
): Html {
  const [shown = [], folded = []] = [true, false].map((isShown) =>
    rules.filter(({ id, problem }) => (counts.has(id) || problem !== '') === isShown),
  )
  const tableOf = (list: readonly StoredRule[]) => list.length > 0 && rulesTable(request, list, counts, shares)
  return html`${tableOf(shown)}${folded.length > 0 && html`<details><summary>${translate('{count} rule without findings|{count} rules without findings', { count: folded.length })}</summary>${tableOf(folded)}</details>`}`
}

function rulesTable(
  request: ApiRequest,
  rules: readonly StoredRule[],
  counts: ReadonlyMap<number, Counts>,
  shares: ReadonlyMap<number, Judged>,
): Html {
  const { registry, settings } = request.service
  const model = registry.model(SYSTEM.rule)
  const page = (of: Model) => `${settings.basePath}${pagePathOf(of)}`
  const [rulePage, findingPage] = [page(model), page(registry.model(SYSTEM.finding))]
  return objectTable({
    label: shownPlural(model),
    columns: columns([
      ['rule', shownTitle(model)],
      ['open', translate('Open'), 'num'],
      ['accepted', translate('Accepted'), 'num'],
      ...(shares.size > 0 ? [['passed', translate('Passed'), 'num'] as const] : []),
      ...['severity', 'object_type'].map((name) => [name, fieldLabel(registry, model, name)] as const),
    ]),
    rows: rules.map(({ id, name, problem, severity, object_type: type }): ObjectRow => {
      const { open, accepted } = counts.get(id) ?? { open: 0, accepted: 0 }
      const judged = registry.models.get(type)
      const share = shares.get(id)
      // The list of findings cannot be limited to those of a site.
      const findings = (count: number) =>
        count === 0 || request.search.has(OF_SITE)
          ? numberCell(count)
          : html`<a href="${findingPage}?rule_id=${id}">${numeral(count)}</a>`
      return {
        id,
        label: name,
        cells: [
          html`<a href="${rulePage}${id}/"><bdi>${name}</bdi></a>${problem !== '' && html` <span class="badge red" title="${problem}">${translate('Cannot be evaluated')}</span>`}`,
          findings(open),
          findings(accepted),
          ...(shares.size > 0 ? [share === undefined ? EMPTY : shareText(share)] : []),
          badgeOf(request, severity),
          judged ? shownPlural(judged) : type,
        ],
      }
    }),
  })
}

/** The share of objects that pass, of those to which the rule applies. */
const shareText = ({ passed, all }: Judged): Content =>
  all === 0
    ? translate('Applies to nothing')
    : html`<strong>${passed === all ? percent(1) : percent(Math.min(passed / all, 0.99))}</strong> ${translate('{passed} of {count}', { passed: numeral(passed), count: numeral(all) })}`

function sitesTable(request: ApiRequest, sites: readonly SiteCounts[]): Html {
  const { registry, settings } = request.service
  const field = registry.model(SYSTEM.rule).fields.get('severity')
  const severities = severitiesOf(registry).filter((severity) => sites.some(({ open }) => open.has(severity)))
  const table = objectTable({
    label: shownPlural(registry.model(SITE)),
    columns: columns([
      ['site', shownTitle(registry.model(SITE))],
      ...severities.map(
        (severity) => [severity, translateLabel(choiceLabel(field, severity) ?? severity), 'num'] as const,
      ),
      ['accepted', translate('Accepted'), 'num'],
    ]),
    rows: sites.slice(0, MOST_SITES).map(
      ({ id, name, open, accepted }): ObjectRow => ({
        id,
        label: name,
        cells: [
          html`<a href="${settings.basePath}${SCORES}?${OF_SITE}=${id}"><bdi>${name}</bdi></a>`,
          ...severities.map((severity) => numberCell(open.get(severity) ?? 0)),
          numberCell(accepted),
        ],
      }),
    ),
  })
  return sites.length <= MOST_SITES
    ? table
    : html`${table}<p class="muted">${translate('The {shown} sites with the gravest findings, of {count}.', { shown: MOST_SITES, count: sites.length })}</p>`
}

const numberCell = (count: number): Content => (count === 0 ? EMPTY : numeral(count))
