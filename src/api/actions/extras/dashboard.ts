import { invalid, notFound } from '../../../base/errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../schema/json.ts'
import type { ApiRequest } from '../../api-request.ts'
import { type HttpResponse, okResponse } from '../../response.ts'
import { type Action, type ActionOperation, schema } from '../action.ts'
import { readDashboard, removeDashboard, type StoredDashboard, storeDashboard } from './stored-dashboard.ts'

const idOf = ({ actor }: ApiRequest): number => (actor.kind === 'user' ? actor.id : 0)

/** Both are null for a user without a saved dashboard. */
const responseOf = (dashboard: StoredDashboard | undefined): HttpResponse =>
  okResponse(`{"layout":${dashboard?.layout ?? 'null'},"config":${dashboard?.config ?? 'null'}}`)

/** Parts that the body does not contain keep their values; in a new dashboard they are empty. */
async function save(request: ApiRequest): Promise<HttpResponse> {
  const body = (await request.body.read()) ?? {}
  const parts = parseDashboard(body)
  const { database } = request.service
  await storeDashboard(database, idOf(request), parts)
  return responseOf(await readDashboard(database, idOf(request)))
}

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

async function remove(request: ApiRequest): Promise<HttpResponse> {
  const isRemoved = await removeDashboard(request.service.database, idOf(request))
  if (!isRemoved) throw notFound('Dashboard')
  return { status: 204 }
}

const SCHEMA: JsonObject = { type: 'object', properties: { layout: {}, config: {} } }

const saving = (body: string): ActionOperation => ({
  permission: { change: 'extras.dashboard' },
  body: schema(body),
  answer: schema('Dashboard'),
  handle: save,
})

/** The user's own dashboard. */
export const dashboardAction: Action = {
  path: 'extras/dashboard',
  hasNoHistory: true,
  title: 'Dashboard',
  methods: {
    GET: {
      permission: { view: 'extras.dashboard' },
      answer: schema('Dashboard'),
      handle: async (request) => responseOf(await readDashboard(request.service.database, idOf(request))),
    },
    PUT: saving('DashboardRequest'),
    PATCH: saving('PatchedDashboardRequest'),
    DELETE: { permission: { delete: 'extras.dashboard' }, status: 204, handle: remove },
  },
  schemas: { Dashboard: SCHEMA, DashboardRequest: SCHEMA, PatchedDashboardRequest: SCHEMA },
}
