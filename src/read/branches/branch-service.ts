import { invalid } from '../../base/errors.ts'
import { branchDatabase, OPEN } from '../../db/branches/branch-database.ts'
import { CachePart } from '../../db/cache/cache.ts'
import { oncePerText } from '../../schema/once-per.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Service } from '../../service.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { lastValue } from '../query/last-value.ts'
import type { RowPredicate } from '../query/row-predicate.ts'

/** Name of the query parameter that selects a branch. */
export const BRANCH_PARAMETER = 'branch'
/** The same in links of NetBox's branching plug-in, with the `schema_id`. */
export const PLUGIN_PARAMETER = '_branch'

/** The branch that the query names; undefined if it names none, empty for main. */
export const branchIn = (search: URLSearchParams): string | undefined =>
  lastValue(search, BRANCH_PARAMETER) ?? lastValue(search, PLUGIN_PARAMETER)

/** The query without the branch. */
export function withoutBranch(search: URLSearchParams): URLSearchParams {
  const remaining = new URLSearchParams(search)
  for (const name of [BRANCH_PARAMETER, PLUGIN_PARAMETER]) remaining.delete(name)
  return remaining
}

/** The properties of a branch that requests need. */
export interface Branch {
  readonly id: number
  readonly name: string
  /** Identifies it in requests; '' if it has none. */
  readonly schemaId: string
  readonly status: string
  /** When main's changes were last applied; values cached before that are no longer found. */
  readonly lastSync: string | null
}

/** Branches whose services are reused. */
const MOST_BRANCHES = 50

/**
 * The service with the inventory of the branch, which it reads and changes. Its cached values are found only by
 * services of the same branch.
 */
export const branchService = (service: Service, branch: Branch): Service =>
  serviceOf(service, JSON.stringify([branch.id, branch.lastSync]), branch)

const serviceOf = oncePerText(
  MOST_BRANCHES,
  (service: Service, key, branch: Pick<Branch, 'id' | 'name' | 'schemaId'>): Service => {
    const { id, name, schemaId } = branch
    const latest: Service | undefined = service.latest && serviceOf(service.latest, key, branch)
    return {
      ...service,
      database: branchDatabase(service.database, service.registry, id),
      cache: new CachePart(service.cache, `branch ${key} `, service.cache.log.withBranch(id)),
      branch: { id, name, schemaId },
      main: service,
      ...(latest && { latest }),
      get settings() {
        return service.settings
      },
    }
  },
)

/**
 * The branch with this text as its `schema_id`, otherwise the one with this name, among the visible rows `t` of branches. Throws
 * `invalid` if there is none, or if it is closed.
 */
export async function openBranch(service: Service, text: string, visible: RowPredicate | 'all'): Promise<Branch> {
  const isNamed = sql`(t.schema_id = ${text} or t.name = ${text})`
  const branch = await findBranch(
    service,
    visible === 'all' ? isNamed : sql`${isNamed} and ${visible}`,
    sql`(t.schema_id = ${text}) desc nulls last, t.id`,
  )
  if (!branch) throw invalid({ [BRANCH_PARAMETER]: [`There is no branch "${text}".`] })
  if (branch.status !== OPEN)
    throw invalid({ [BRANCH_PARAMETER]: [`The branch "${branch.name}" is ${branch.status}.`] })
  return branch
}

/** The first branch `t` that meets the condition. */
export async function findBranch(
  { cache, database }: Service,
  condition: Sql,
  order = sql`t.id`,
): Promise<Branch | undefined> {
  const key = `branch by ${JSON.stringify([condition, order].map(({ text, values }) => [text, values]))}`
  const branches = await cache.get(
    key,
    async () => {
      const rows = await database.query<
        Omit<Branch, 'lastSync' | 'schemaId'> & Record<'schema_id' | 'last_sync', string | null>
      >(sql`
        select t.id, t.name, t.schema_id, t.status, t.last_sync from ${table(SYSTEM.branch)} t where ${condition} order by ${order} limit 1`)
      return rows.map(({ schema_id: schemaId, last_sync: lastSync, ...branch }) => ({
        ...{ ...branch, schemaId: schemaId ?? '', lastSync },
      }))
    },
    { bytes: 300, isEssential: true },
  )
  return branches[0]
}
