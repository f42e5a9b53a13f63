import { invalid, notFound } from '../../errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'
import { sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { deleteFrom, insertInto, table } from '../../sql/table.ts'
import {
  type Action,
  type ActionRequest,
  type ActionResponse,
  answerText,
  type Operation,
  schema,
} from '../action.ts'

interface Dashboard extends Record<string, unknown> {
  /** JSON texts. */
  readonly layout: string
  readonly config: string
}

const idOf = ({ actor }: ActionRequest): number => (actor.kind === 'user' ? actor.id : 0)

async function find(queryable: Queryable, user: number): Promise<Dashboard | undefined> {
  const [row] = await queryable.query<Dashboard>(
    sql`select layout, config from ${table('extras.dashboard')} where user_id = ${user}::bigint`,
  )
  return row
}

/** Both are null for a user without a saved dashboard. */
const responseOf = (dashboard: Dashboard | undefined): ActionResponse =>
  answerText(`{"layout":${dashboard?.layout ?? 'null'},"config":${dashboard?.config ?? 'null'}}`)

/** Parts that the body does not name keep their values; in a new dashboard they are empty. */
async function save(request: ActionRequest): Promise<ActionResponse> {
  const body = (await request.body.read()) ?? {}
  const { layout, config } = parseDashboard(body)
  const user = idOf(request)
  await request.service.database.execute(sql`
    ${insertInto('extras.dashboard')} as t (user_id, layout, config)
    values (${user}::bigint, ${textOf(layout) ?? '[]'}::jsonb, ${textOf(config) ?? '{}'}::jsonb)
    on conflict (user_id) do update set
      layout = coalesce(${textOf(layout)}::jsonb, t.layout),
      config = coalesce(${textOf(config)}::jsonb, t.config)`)
  return responseOf(await find(request.service.database, user))
}

const textOf = (value: Json | undefined): string | null =>
  value === undefined ? null : JSON.stringify(value)

function parseDashboard(body: unknown): { layout?: Json | undefined; config?: Json | undefined } {
  if (!isJsonObject(body)) {
    throw invalid({ non_field_errors: ['Expected an object with layout and config.'] })
  }
  const errors: Record<string, string[]> = {}
  const { layout, config } = body
  if (layout === null) errors.layout = ['This field may not be null.']
  else if (layout !== undefined && !Array.isArray(layout)) errors.layout = ['Expected a list.']
  if (config === null) errors.config = ['This field may not be null.']
  else if (config !== undefined && !isJsonObject(config)) errors.config = ['Expected an object.']
  if (Object.keys(errors).length > 0) throw invalid(errors)
  return { layout, config }
}

async function remove(request: ActionRequest): Promise<ActionResponse> {
  const { database } = request.service
  const count = await database.execute(
    sql`${deleteFrom('extras.dashboard')} where user_id = ${idOf(request)}::bigint`,
  )
  if (count === 0) throw notFound('Dashboard')
  return { status: 204 }
}

const SCHEMA: JsonObject = { type: 'object', properties: { layout: {}, config: {} } }

const saving = (body: string): Operation => ({
  permission: { change: 'extras.dashboard' },
  body: schema(body),
  answer: schema('Dashboard'),
  handle: save,
})

/** The user's own dashboard. */
export const dashboardAction: Action = {
  path: 'extras/dashboard',
  title: 'Dashboard',
  methods: {
    GET: {
      permission: { view: 'extras.dashboard' },
      answer: schema('Dashboard'),
      handle: async (request) => responseOf(await find(request.service.database, idOf(request))),
    },
    PUT: saving('DashboardRequest'),
    PATCH: saving('PatchedDashboardRequest'),
    DELETE: { permission: { delete: 'extras.dashboard' }, status: 204, handle: remove },
  },
  schemas: { Dashboard: SCHEMA, DashboardRequest: SCHEMA, PatchedDashboardRequest: SCHEMA },
}
