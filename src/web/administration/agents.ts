import { type AgentCall, callLogOf } from '../../api/agents/call-log.ts'
import type { ApiRequest } from '../../api/api-request.ts'
import { ApiError } from '../../base/errors.ts'
import { changedObjects } from '../../changes/branches/branch-changes.ts'
import { rowSecurityOf } from '../../identity/permitted-rows.ts'
import { requireUser } from '../../identity/require-user.ts'
import { lastValue } from '../../read/query/last-value.ts'
import { applyRowSecurity } from '../../read/query/row-security.ts'
import { isJsonObject } from '../../schema/json.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { mainOf } from '../../service.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { AGENTS } from '../account/tokens-page.ts'
import { shownTitle } from '../components/model-title.ts'
import { type ObjectColumn, objectTable } from '../components/object-table.ts'
import { panel } from '../components/panel.ts'
import { choiceColour, choiceLabel, EMPTY, timestampDisplay, timestampText } from '../components/value.ts'
import type { ObjectPart } from '../frame/object-content.ts'
import type { PageResponse } from '../frame/page-frame.ts'
import { type Content, type Html, html } from '../html.ts'
import { numeral, translate, translateLabel, translateMarkup } from '../texts/translate.ts'

/** The setting that lets agents connect, with a link for those who may change it. */
const settingOfAgents = ({ service }: ApiRequest, isSuperuser: boolean): Content => {
  const name = translate('Assistants (MCP)')
  return isSuperuser ? html`<a href="${service.settings.basePath}/core/config-revisions/">${name}</a>` : name
}

/** Rows of each table: the latest ones. */
const MOST_TOKENS = 200
const MOST_PLANS = 100
const MOST_CALLS = 100

/** A token with which an agent has called tools or made plans, or may do so. Timestamps are ISO 8601, UTC. */
interface AgentToken extends Record<string, unknown> {
  readonly id: number
  readonly display: string
  readonly description: string
  readonly owner: string
  readonly isUsable: boolean
  readonly lastUsed: string | null
}

/** The tokens for agents that match the condition: the sender's own ones, and for superusers those of everybody. */
async function agentTokens(request: ApiRequest, condition: Sql): Promise<readonly AgentToken[]> {
  const { id, isSuperuser } = requireUser(request)
  const { database, clock } = mainOf(request.service)
  const rows = await database.query<AgentToken>(sql`
    select t.id, case when t.version = 2 then t.key else '••••' || t._ending end as display, t.description,
      u.username as owner, t.last_used as "lastUsed",
      t.enabled and coalesce(t.expires > ${new Date(clock.now()).toISOString()}::timestamptz, true) as "isUsable"
    from ${table(SYSTEM.token)} t join ${table(SYSTEM.user)} u on u.id = t.user_id
    where (${isSuperuser}::boolean or t.user_id = ${id}::bigint) and ${condition}
    order by t.last_used desc nulls last, t.id desc limit ${MOST_TOKENS}`)
  return rows
}

interface Plan extends Record<string, unknown> {
  readonly id: number
  readonly title: string
  readonly status: string
  readonly created: string
  readonly branch: number
  readonly branchName: string
  readonly token: number
}

/** The plans of the tokens that the sender may view with their branches, the latest first. */
async function plansOf({ actor, service }: ApiRequest, tokens: readonly number[]): Promise<readonly Plan[]> {
  const { database, registry, settings } = mainOf(service)
  const statement = sql`
    select r.id, r.title, r.status, r.created, b.id as branch, b.name as "branchName", b.agent_token_id as token
    from ${table(SYSTEM.changeRequest)} r join ${table(SYSTEM.branch)} b on b.id = r.branch_id
    where b.agent_token_id = any(${tokens}::bigint[]) order by r.id desc limit ${MOST_PLANS}`
  return await database.query<Plan>(applyRowSecurity(rowSecurityOf(actor, registry, settings), statement))
}

/**
 * GET of the tokens for agents with their calls and plans: the sender's own ones, and for superusers those of everybody.
 * `?token=`: only of this token.
 */
export async function agentsPage(request: ApiRequest): Promise<PageResponse> {
  const { id: user, isSuperuser } = requireUser(request)
  const chosen = lastValue(request.search, 'token')
  if (chosen !== undefined && !/^\d{1,15}$/.test(chosen)) throw new ApiError({ kind: 'notFound', detail: 'Not found.' })
  const log = callLogOf(request.service)
  const callers = log.counts.flatMap(({ token }) => token ?? [])
  const tokens = await agentTokens(
    request,
    chosen === undefined
      ? sql`(t.plans_only or t.id = any(${callers}::bigint[])
          or exists (select 1 from ${table(SYSTEM.branch)} b where b.agent_token_id = t.id))`
      : sql`t.id = ${chosen}::bigint`,
  )
  const [token] = tokens
  if (chosen !== undefined && !token) throw new ApiError({ kind: 'notFound', detail: 'Not found.' })
  const ids = new Set(tokens.map(({ id }) => id))
  const isVisible = (call: Pick<AgentCall, 'token' | 'user'>): boolean =>
    call.token === undefined ? chosen === undefined && (isSuperuser || call.user === user) : ids.has(call.token)
  const plans = await plansOf(request, [...ids])
  const calls = log.recent.filter(isVisible).slice(0, MOST_CALLS)
  const title = translate('Agents')
  const names = new Map(tokens.map((row) => [row.id, linkTo(request, row)]))
  return {
    title: chosen !== undefined && token ? `${token.display} · ${title}` : title,
    styles: ['objects.css'],
    breadcrumbs: [
      { label: title, path: AGENTS },
      ...(chosen !== undefined && token ? [{ label: token.display, path: `${AGENTS}?token=${token.id}` }] : []),
    ],
    body: html`<div class="heading"><h1>${title}</h1></div>
<p class="muted">${translate('Assistants that use /mcp: they read with the permissions of their users, and write only by plans.')}</p>
${!request.service.settings.mcpEnabled && html`<p class="notice warn">${translateMarkup('Agents cannot connect: {setting} is off.', { setting: settingOfAgents(request, isSuperuser) })}</p>`}
${
  tokens.length + calls.length === 0
    ? firstSteps(request)
    : html`${panel(translate('Tokens'), tokenTable(request, tokens, plans))}
${panel(translate('Plans'), plans.length === 0 ? html`<p>${translate('No plans yet.')}</p>` : await planTable(request, plans, names))}
${panel(
  translate('Latest calls'),
  html`<p class="muted">${translate('Calls that this process has answered since {time}. The log of the service has an audit line for each call.', { time: timestampText(log.since) })}</p>${calls.length > 0 && callTable(calls, names)}`,
)}`
}`,
  }
}

const pageOf = ({ service }: ApiRequest, model: string): string =>
  `${service.settings.basePath}${pagePathOf(service.registry.model(model)) ?? '/'}`

/** How to connect the first agent. */
const firstSteps = ({ base, service }: ApiRequest): Html =>
  html`<div class="empty-list"><h2>${translate('No agents yet.')}</h2><p>${translateMarkup(
    'Create {token} for an agent, and give it to your assistant together with the address {address}.',
    {
      token: html`<a href="${service.settings.basePath}/user/api-tokens/">${translate('a token')}</a>`,
      address: html`<code>${base}/mcp</code>`,
    },
  )}</p></div>`

/** The token with its description, as a link to its calls and plans. */
const linkTo = ({ service }: ApiRequest, { id, display, description }: AgentToken): Html =>
  html`<a href="${service.settings.basePath}${AGENTS}?token=${id}"><code>${display}</code></a>${description !== '' && html` <bdi>${description}</bdi>`}`

const columns = (...labels: readonly (readonly [name: string, label: string, kind?: 'num'])[]): ObjectColumn[] =>
  labels.map(([name, label, kind]) => ({ name, label, kind }))

function tokenTable(request: ApiRequest, tokens: readonly AgentToken[], plans: readonly Plan[]): Html {
  const counts = Map.groupBy(callLogOf(request.service).counts, ({ token }) => token)
  const plansByToken = Map.groupBy(plans, ({ token }) => token)
  const page = pageOf(request, SYSTEM.token)
  return objectTable({
    label: translate('Tokens'),
    columns: columns(
      ...([
        ['token', translate('Token')],
        ['owner', translate('Owner')],
        ['state', translate('State')],
        ['used', translate('Last used')],
        ['calls', translate('Calls')],
        ['refused', translate('Refused'), 'num'],
        ['plans', translate('Plans'), 'num'],
      ] as const),
    ),
    rows: tokens.map((token) => {
      const called = counts.get(token.id) ?? []
      const refused = called.filter(({ outcome }) => outcome === 'refused')
      const total = (list: typeof called): number => list.reduce((sum, { calls }) => sum + calls, 0)
      const byTool = [...Map.groupBy(called, ({ tool }) => tool)].map(
        ([tool, list]) => `${tool} ${numeral(total(list))}`,
      )
      return {
        id: token.id,
        label: token.display,
        cells: [
          linkTo(request, token),
          html`<bdi>${token.owner}</bdi>`,
          token.isUsable
            ? html`<span class="badge green">${translate('Enabled')}</span>`
            : html`<span class="badge gray">${translate('Disabled')}</span>`,
          token.lastUsed === null ? EMPTY : timestampDisplay(token.lastUsed),
          byTool.length === 0 ? EMPTY : byTool.join(', '),
          numeral(total(refused)),
          numeral(plansByToken.get(token.id)?.length ?? 0),
        ],
        actions: requireUser(request).isSuperuser && html`<a href="${page}${token.id}/">${translate('Settings')}</a>`,
      }
    }),
  })
}

async function planTable(request: ApiRequest, plans: readonly Plan[], names: ReadonlyMap<number, Html>): Promise<Html> {
  const changed = await changedObjects(
    mainOf(request.service),
    plans.map(({ branch }) => branch),
  )
  const { registry } = request.service
  const status = registry.model(SYSTEM.changeRequest).fields.get('status')
  const [requestPage, branchPage] = [pageOf(request, SYSTEM.changeRequest), pageOf(request, SYSTEM.branch)]
  return objectTable({
    label: translate('Plans'),
    columns: columns(
      ...([
        ['request', shownTitle(registry.model(SYSTEM.changeRequest))],
        ['status', translate('Status')],
        ['changes', translate('Changed objects'), 'num'],
        ['branch', shownTitle(registry.model(SYSTEM.branch))],
        ['token', translate('Token')],
        ['created', translate('Created')],
      ] as const),
    ),
    rows: plans.map((plan) => ({
      id: plan.id,
      label: plan.title,
      cells: [
        html`<a href="${requestPage}${plan.id}/changes/"><bdi>${plan.title}</bdi></a>`,
        html`<span class="badge ${choiceColour(status, plan.status) ?? 'gray'}">${translateLabel(choiceLabel(status, plan.status) ?? plan.status)}</span>`,
        numeral(changed.get(plan.branch) ?? 0),
        html`<a href="${branchPage}${plan.branch}/"><bdi>${plan.branchName}</bdi></a>`,
        names.get(plan.token) ?? EMPTY,
        timestampDisplay(plan.created),
      ],
    })),
  })
}

const callTable = (calls: readonly AgentCall[], names: ReadonlyMap<number, Html>): Html =>
  objectTable({
    label: translate('Latest calls'),
    columns: columns(
      ...([
        ['time', translate('Time')],
        ['tool', translate('Tool')],
        ['outcome', translate('Outcome')],
        ['bytes', translate('Size (bytes)'), 'num'],
        ['milliseconds', translate('Duration (ms)'), 'num'],
        ['token', translate('Token')],
      ] as const),
    ),
    rows: calls.map(({ time, token, tool, outcome, bytes, milliseconds }, index) => ({
      id: index,
      label: time,
      cells: [
        timestampText(time, 'seconds'),
        html`<code>${tool}</code>`,
        outcome === 'done'
          ? html`<span class="badge green">${translate('Answered')}</span>`
          : html`<span class="badge orange">${translate('Refused')}</span>`,
        numeral(bytes),
        numeral(milliseconds),
        (token !== undefined && names.get(token)) || EMPTY,
      ],
    })),
  })

/** Says which agent has planned the changes of this branch, and for whom; undefined for a branch of a person. */
export async function plannedBy(request: ApiRequest, branch: number): Promise<Content> {
  if (request.actor.kind !== 'user') return undefined
  const [token] = await agentTokens(
    request,
    sql`t.id in (select b.agent_token_id from ${table(SYSTEM.branch)} b where b.id = ${branch}::bigint)`,
  )
  if (!token) return undefined
  const owner = html`<bdi>${token.owner}</bdi>`
  return translateMarkup('A plan of the agent {agent} of {owner}', { agent: linkTo(request, token), owner })
}

/** The agent to which a token, a branch or a change request belongs, with a link to its calls and plans. */
export const agentPart: ObjectPart = {
  models: [SYSTEM.token, SYSTEM.branch, SYSTEM.changeRequest],
  load: async ({ request, model, object }) => {
    if (model.name !== SYSTEM.token) {
      const isRequest = model.name === SYSTEM.changeRequest
      const branch = isRequest && isJsonObject(object.branch) ? object.branch.id : object.id
      const line = await plannedBy(request, Number(branch))
      return line ? { top: html`<p class="muted">${line}</p>` } : {}
    }
    if (request.actor.kind !== 'user') return {}
    const [token] = await agentTokens(
      request,
      sql`t.id = ${Number(object.id)}::bigint and (t.plans_only or exists (
        select 1 from ${table(SYSTEM.branch)} b where b.agent_token_id = t.id))`,
    )
    return token
      ? { right: panel(translate('Agent'), html`<p>${linkTo(request, token)} · <bdi>${token.owner}</bdi></p>`) }
      : {}
  },
}
