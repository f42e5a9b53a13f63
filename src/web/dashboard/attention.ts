import type { ApiRequest } from '../../api/api-request.ts'
import { changedObjects } from '../../changes/branches/branch-changes.ts'
import { OPEN } from '../../db/branches/branch-database.ts'
import { mayAct, rowSecurityOf } from '../../identity/permitted-rows.ts'
import { cachedNumbers, cachedResult } from '../../read/query/cached-column.ts'
import { applyRowSecurity } from '../../read/query/row-security.ts'
import { severitiesOf } from '../../read/rules/compile-rule.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { mainOf } from '../../service.ts'
import { identifier, join, type Sql, sql, volatile } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { addressModels } from '../addresses/address-models.ts'
import { fieldLabel } from '../components/field-label.ts'
import { shownTitle } from '../components/model-title.ts'
import { choiceColour, choiceLabel, linkToObject, timestampDisplay } from '../components/value.ts'
import { readChangeGroups } from '../data/change-groups.ts'
import { displayOptionsOf } from '../data/display-options.ts'
import { readList, readSelected, visibleObjects } from '../data/page-objects.ts'
import type { WidgetKind } from '../frame/widget.ts'
import { type Content, html } from '../html.ts'
import { sentenceOfChanges } from '../object-parts/change-summary.ts'
import { type Text, translate, translateLabel } from '../texts/translate.ts'
import { usedPrefixes } from './utilization-widget.ts'

/** A list of what needs the viewer; nothing to display if it is empty. */
interface Attention {
  readonly label: Text
  readonly content: (request: ApiRequest) => Promise<Content>
}

/** Maximum number of lines of a list. */
const LINES = 6
/** Days of which failures are listed. */
const RECENT = 7
/** Days within which a date is near. */
const SOON = 30
/** Share of its addresses from which a prefix is nearly full. */
const NEARLY_FULL = 0.9
const DAY = 86_400_000

interface Line {
  readonly name: Content
  readonly facts: readonly Content[]
}

const lineList = (lines: readonly Line[]): Content =>
  lines.length > 0 &&
  html`<ul class="attention">${lines.map(
    ({ name, facts }) =>
      html`<li><span>${name}</span><span class="facts">${facts.filter(Boolean).map((fact) => html`<span>${fact}</span>`)}</span></li>`,
  )}</ul>`

const linkTo = ({ service: { settings, registry } }: ApiRequest, type: string, id: number, label: string): Content =>
  html`<a href="${settings.basePath}${pagePathOf(registry.model(type))}${id}/"><bdi>${label}</bdi></a>`

/** Rows of a statement over the tables that everybody shares, as the sender may view them. */
async function sharedRows({ service, actor }: ApiRequest, statement: Sql): Promise<readonly (readonly unknown[])[]> {
  const main = mainOf(service)
  return await cachedResult(main, applyRowSecurity(rowSecurityOf(actor, main.registry, main.settings), statement))
}

/** Open change requests of which the sender is a reviewer who has not decided yet. */
async function ownReviews(request: ApiRequest): Promise<Content> {
  const { actor, service } = request
  const requests = service.registry.model(SYSTEM.changeRequest)
  const reviewers = requests.fields.get('reviewers')
  if (actor.kind !== 'user' || reviewers?.kind !== 'manyToMany') return undefined
  const joined = service.registry.joinTable(requests, 'reviewers', reviewers)
  // Users who may not view users see no reviewers: what concerns the sender alone is read without restrictions.
  const waiting = await cachedNumbers(
    mainOf(service),
    sql`select j.${identifier(joined.ownColumn)} from ${table(joined)} j
      where j.${identifier(joined.otherColumn)} = ${actor.id}::bigint and not exists (
        select from ${table(SYSTEM.changeReview)} v
        where v.change_request_id = j.${identifier(joined.ownColumn)} and v.user_id = ${actor.id}::bigint
          and v.verdict <> 'comment')`,
  )
  if (waiting.length === 0) return undefined
  const rows = await sharedRows(
    request,
    sql`select r.id, r.title, u.username, r.created::text from ${table(requests)} r
      join ${table(SYSTEM.branch)} b on b.id = r.branch_id and b.status = ${OPEN}
      left join ${table(SYSTEM.user)} u on u.id = r.author_id
      where r.status = 'open' and r.id = any(${waiting}::bigint[]) order by r.created limit ${LINES}::int`,
  )
  return lineList(
    rows.map(([id, title, author, created]) => ({
      name: linkTo(request, requests.name, Number(id), String(title)),
      facts: [author !== null && html`<bdi>${String(author)}</bdi>`, String(created).slice(0, 10)],
    })),
  )
}

/** Open branches of the sender, and the plans of the sender's agents. */
async function ownBranches(request: ApiRequest): Promise<Content> {
  const { actor, service } = request
  if (actor.kind !== 'user') return undefined
  const rows = await sharedRows(
    request,
    sql`select b.id, b.name, b.agent_token_id is not null,
        exists (select from ${table(SYSTEM.changeRequest)} r where r.branch_id = b.id and r.status = 'open')
      from ${table(SYSTEM.branch)} b where b.owner_id = ${actor.id}::bigint and b.status = ${OPEN}
      order by b.id desc limit ${LINES}::int`,
  )
  if (rows.length === 0) return undefined
  const ids = rows.map(([id]) => Number(id))
  const counts = await changedObjects(mainOf(service), ids)
  return lineList(
    rows.map(([id, name, isPlan, isRequested]) => ({
      name: linkTo(request, SYSTEM.branch, Number(id), String(name)),
      facts: [
        isPlan === true && translate('Plan of an agent'),
        isRequested === true && translate('In review'),
        translate('{count} object|{count} objects', { count: counts.get(Number(id)) ?? 0 }),
      ],
    })),
  )
}

/** Jobs and deliveries that have failed lately, each with a link to all of them. */
async function failures(request: ApiRequest): Promise<Content> {
  const { registry, settings, clock } = request.service
  const since = new Date(clock.now() - RECENT * DAY).toISOString()
  const kinds = [
    { model: registry.model(SYSTEM.job), statuses: ['failed', 'errored'] },
    { model: registry.model(SYSTEM.webhookDelivery), statuses: ['dead'] },
  ].filter(({ model }) => mayAct(request.actor, 'view', model, settings))
  const lists = await Promise.all(
    kinds.map(async ({ model, statuses }) => {
      const query = new URLSearchParams(statuses.map((status) => ['status', status]))
      query.set('created__gte', since)
      const list = new URLSearchParams([...query, ['ordering', '-created'], ['limit', String(LINES)]])
      const { objects, count } = await readList(request, model, {
        query: list,
        paths: ['id', 'url', 'display', 'created'],
      })
      return { model, query, objects, count }
    }),
  )
  const options = await displayOptionsOf(
    request,
    lists.flatMap(({ objects }) => objects),
  )
  const parts = lists.map(({ model, query, objects, count }): Content => {
    const all = html`<p class="all"><a href="${settings.basePath}${pagePathOf(model)}?${query.toString()}">${translate('Show all {count}', { count })}</a></p>`
    const lines = objects.map((object) => ({
      name: linkToObject(object, options),
      facts: [shownTitle(model), timestampDisplay(String(object.created))],
    }))
    return objects.length > 0 && html`${lineList(lines)}${count > LINES && all}`
  })
  return parts.some(Boolean) && html`${parts}`
}

interface DateField {
  readonly model: Model
  readonly name: string
}

/** The fields with dates of the objects that the sender may view. */
const dateFields = ({ service: { registry, settings }, actor }: ApiRequest): readonly DateField[] =>
  [...registry.models.values()]
    .filter((model) => pagePathOf(model) !== undefined && mayAct(actor, 'view', model, settings))
    .flatMap((model) => [...model.fields].flatMap(([name, field]) => (field.kind === 'date' ? [{ model, name }] : [])))

/** Dates of objects that are near, such as the end of a contract, and prefixes that are nearly full. */
async function endings(request: ApiRequest): Promise<Content> {
  const prefix = addressModels(request.service.registry).prefix
  const [dated, prefixes] = await Promise.all([nearDates(request), usedPrefixes(request)])
  const full = prefixes
    .filter(({ share }) => share >= NEARLY_FULL)
    .toSorted((left, right) => right.share - left.share)
    .slice(0, LINES)
    .map(({ id, label, text }) => ({
      name: linkTo(request, prefix.name, id, label),
      facts: [translate('{share} used', { share: text })],
    }))
  return lineList([...dated, ...full])
}

async function nearDates(request: ApiRequest): Promise<readonly Line[]> {
  const { service, actor } = request
  const { registry, settings, clock } = service
  const fields = dateFields(request)
  if (fields.length === 0) return []
  const day = (offset: number): string => new Date(clock.now() + offset * DAY).toISOString().slice(0, 10)
  const [first, last] = [day(0), day(SOON)]
  const parts = fields.map(({ model, name }, index) => {
    const column = sql`t.${identifier(model.columns.get(name)?.name ?? name)}`
    return sql`select ${index}::int as field, t.id, ${column} as date from ${table(model)} t
      where ${column} between ${first}::date and ${last}::date`
  })
  const security = rowSecurityOf(actor, registry, settings)
  const statement = sql`select q.field, q.id, q.date::text, q.date - ${first}::date
    from (${join(parts, ' union all ')}) q order by q.date, q.field, q.id limit ${LINES}::int`
  const rows = await cachedResult(service, applyRowSecurity(security, statement))
  const byModel = Map.groupBy(rows, ([index]) => fields[Number(index)]?.model)
  const objects = new Map(
    await Promise.all(
      [...byModel].flatMap(([model, list]) =>
        model
          ? [
              visibleObjects(
                request,
                model,
                list.map(([, id]) => Number(id)),
                ['url', 'display'],
              ).then((found) => [model, found] as const),
            ]
          : [],
      ),
    ),
  )
  const options = await displayOptionsOf(
    request,
    [...objects.values()].flatMap((found) => [...found.values()]),
  )
  return rows.flatMap(([index, id, date, days]) => {
    const field = fields[Number(index)]
    const object = field && objects.get(field.model)?.get(Number(id))
    if (!field || !object) return []
    const label = fieldLabel(registry, field.model, field.name)
    return [
      {
        name: linkToObject(object, options),
        facts: [
          label,
          html`<time datetime="${String(date)}" title="${String(date)}">${Number(days) === 0 ? translate('today') : translate('in {count} day|in {count} days', { count: Number(days) })}</time>`,
        ],
      },
    ]
  })
}

/** Rules that cannot be evaluated, then those with the most findings that nobody has accepted, the gravest first. */
async function openFindings(request: ApiRequest): Promise<Content> {
  const { registry, settings } = request.service
  const [finding, rule] = [registry.model(SYSTEM.finding), registry.model(SYSTEM.rule)]
  if (![finding, rule].every((model) => mayAct(request.actor, 'view', model, settings))) return undefined
  const severities = rule.fields.get('severity')
  const rows = await sharedRows(
    request,
    sql`select r.id, r.name, r.severity, count(*) from ${table(finding)} f join ${table(rule)} r on r.id = f.rule_id
      where f.accepted_until is null or f.accepted_until < ${volatile`now()`}
      group by r.id, r.name, r.severity
      order by array_position(${severitiesOf(registry)}::text[], r.severity), count(*) desc, r.name limit ${LINES}::int`,
  )
  const broken = await sharedRows(
    request,
    sql`select r.id, r.name from ${table(rule)} r where r.enabled and r.problem <> '' order by r.name limit ${LINES}::int`,
  )
  const brokenLines = broken.map(([id, name]) => ({
    name: linkTo(request, rule.name, Number(id), String(name)),
    facts: [html`<span class="badge red">${translate('Cannot be evaluated')}</span>`],
  }))
  return lineList([
    ...brokenLines,
    ...rows.map(([id, name, severity, count]) => ({
      name: html`<a href="${settings.basePath}${pagePathOf(finding)}?rule_id=${Number(id)}"><bdi>${String(name)}</bdi></a>`,
      facts: [
        html`<span class="badge ${choiceColour(severities, String(severity))}">${translateLabel(choiceLabel(severities, String(severity)) ?? '')}</span>`,
        translate('{count} object|{count} objects', { count: Number(count) }),
      ],
    })),
  ])
}

/** Requests from the latest of which people are listed, and lines for each of them. */
const REQUESTS = 24
const PEOPLE = 4
const LINES_OF_PERSON = 3

/** Who has changed what lately: the latest requests of each person. */
async function latestChanges(request: ApiRequest): Promise<Content> {
  const { registry, settings } = request.service
  const model = registry.model(SYSTEM.objectChange)
  if (!mayAct(request.actor, 'view', model, settings)) return undefined
  const { objects: groups } = await readChangeGroups(request, model, new URLSearchParams({ limit: String(REQUESTS) }))
  const selection = { paths: ['id', 'user_name', 'time', 'object_repr'], excludeContext: true }
  const records = new Map(
    (
      await readSelected(
        request,
        model,
        groups.map(({ latest }) => latest),
        selection,
      )
    ).map((record) => [Number(record.id), record]),
  )
  const entries = groups.flatMap((group) => {
    const record = records.get(group.latest)
    return record ? [{ group, record }] : []
  })
  const people = [...Map.groupBy(entries, ({ record }) => String(record.user_name))].slice(0, PEOPLE)
  const page = `${settings.basePath}${pagePathOf(model)}`
  return (
    people.length > 0 &&
    html`<div class="people">${people.map(
      ([name, list]) =>
        html`<section><h3><a href="${page}?user_name=${encodeURIComponent(name)}"><bdi>${name}</bdi></a></h3>${lineList(
          list.slice(0, LINES_OF_PERSON).map(({ group, record }) => ({
            name: html`<a href="${page}${group.latest}/">${sentenceOfChanges(registry, group.kinds)}${group.count === 1 && html`: <bdi>${String(record.object_repr)}</bdi>`}</a>`,
            facts: [timestampDisplay(String(record.time))],
          })),
        )}</section>`,
    )}</div>`
  )
}

/** The lists by their names in a widget's options. */
export const ATTENTION = {
  reviews: { label: 'Waiting for your review', content: ownReviews },
  branches: { label: 'Your branches and plans', content: ownBranches },
  failures: { label: 'Failed in the last week', content: failures },
  endings: { label: 'Ends or fills up soon', content: endings },
  findings: { label: 'Open findings', content: openFindings },
  people: { label: 'Latest changes by person', content: latestChanges },
} as const satisfies Readonly<Record<string, Attention>>

export type AttentionName = keyof typeof ATTENTION

/** What needs the viewer. */
export const ATTENTION_LIST: WidgetKind = {
  label: 'What needs you',
  help: 'Your reviews and branches, failures, what ends soon, findings, the latest changes',
  width: 4,
  controls: (_request, { list }) => [
    {
      name: 'list',
      label: translate('List'),
      isRequired: true,
      input: {
        kind: 'select',
        options: Object.entries(ATTENTION).map(([value, { label }]) => ({ value, label: translate(label) })),
        chosen: [String(list ?? '')],
      },
    },
  ],
  configOf: (texts) => ({ list: texts('list').at(-1) ?? '' }),
  content: async (request, { list }) => {
    const name = String(list)
    const attention: Attention | undefined = Object.hasOwn(ATTENTION, name)
      ? ATTENTION[name as AttentionName]
      : undefined // checked
    return (await attention?.content(request)) || undefined
  },
}
