import { OPEN } from '../../src/db/branches/branch-database.ts'
import { branchService } from '../../src/read/branches/branch-service.ts'
import type { Model } from '../../src/schema/registry.ts'
import type { Service } from '../../src/service.ts'
import { sql } from '../../src/sql/fragment.ts'
import type { Api, ApiAnswer } from '../support/api.ts'
import { startApiWithOwnModels } from '../support/own-models.ts'
import type { TestSettings } from '../support/settings.ts'
import { fillWorld, VISIBLE_IDS } from './world.ts'

/** A permission to be created. */
export interface Allowance {
  readonly types: readonly string[]
  readonly actions: readonly string[]
  readonly constraints?: unknown
}

/** The filled world and a user who observes it. */
export interface Observer {
  readonly api: Api
  /** The id of the branch, if the world was opened in one. */
  readonly service: Service
  readonly user: number
  /** Models that have a collection and that permissions can name. */
  readonly models: readonly Model[]
  /** As the user. */
  ask(method: string, path: string, options?: Parameters<Api['ask']>[2]): Promise<ApiAnswer>
  /** Removes all permissions from the user and adds these. */
  allow(...allowances: readonly Allowance[]): Promise<void>
  close(): Promise<void>
}

/** Constraint that hides the rows of kind 3. */
export const KINDS_1_AND_2 = { id__in: VISIBLE_IDS }

export async function openObserver(
  environment: TestSettings = {},
  place: 'main' | 'branch' = 'main',
): Promise<Observer> {
  const api = await startApiWithOwnModels({ MAX_PAGE_SIZE: '1000', ...environment })
  const { registry, database } = api.service
  const service = place === 'main' ? api.service : await newBranch(api)
  await fillWorld(database, registry, place === 'main' ? undefined : service.database)
  const make = async (path: string, body: unknown) => {
    const { status, text, json } = await api.ask('POST', `/api/${path}/`, { body })
    if (status !== 201) throw new Error(`${path}: ${text}`)
    return json
  }
  const password = 'Corr3ct-Horse-Battery'
  const user = Number((await make('users/users', { username: 'observer', password })).id)
  const token = String((await make('users/tokens', { user })).key)
  const models = [...registry.models.values()].filter(({ path, definition }) => path !== '' && !definition.private)
  return {
    api,
    service,
    user,
    models,
    ask: (method, path, options) => api.ask(method, path, { token, ...options }),
    allow: async (...allowances) => {
      for (const id of await given(api, user)) {
        await api.ask('DELETE', `/api/users/permissions/${id}/`)
      }
      for (const { types, actions, constraints = null } of allowances) {
        await make('users/permissions', {
          ...{ name: 'p', object_types: types, actions, constraints, users: [user] },
        })
      }
    },
    close: api.close,
  }
}

/** The service of a new branch, whose id is not the id of any of the rows. */
async function newBranch(api: Api): Promise<Service> {
  await api.service.database.query(sql`select setval(pg_get_serial_sequence('core_branch', 'id'), 1000)`)
  const id = await api.make('core/branches', { name: 'World' })
  return branchService(api.service, { id, name: 'World', schemaId: '', status: OPEN, lastSync: null })
}

async function given({ service }: Api, user: number): Promise<readonly number[]> {
  const rows = await service.database.query<{ id: number }>(sql`
    select objectpermission_id as id from users_user_permissions where user_id = ${user}::bigint`)
  return rows.map(({ id }) => id)
}

/** Ids of a list, and the count that it reports. */
export const listed = ({ json }: ApiAnswer) => ({
  count: Number(json.count),
  ids: (json.results ?? []).map(({ id }) => Number(id)),
})
