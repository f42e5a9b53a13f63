import { forbidden, invalid } from '../base/errors.ts'
import { OPEN } from '../db/branches/branch-database.ts'
import { actorInBranch, permittedRowsOrNone } from '../identity/permitted-rows.ts'
import { AS_OF } from '../read/as-of/past-timestamp.ts'
import {
  type Branch,
  branchIn,
  branchService,
  findBranch,
  openBranch,
  withoutBranch,
} from '../read/branches/branch-service.ts'
import { lastValue } from '../read/query/last-value.ts'
import { SYSTEM } from '../schema/system-models.ts'
import { sql } from '../sql/fragment.ts'
import type { ApiRequest } from './api-request.ts'

/** Header that names a branch by its `schema_id`, or by its name. */
export const BRANCH_HEADER = 'x-netbox-branch'

/**
 * The request in the branch to which its token is bound, or which its parameter or header names; its handler then reads
 * and writes the branch. Without a branch, the request itself. Throws `invalid` if the branch does not exist or is not
 * open, or in combination with `as_of`, and `forbidden` if the token is bound to another branch.
 */
export async function requestInBranch(request: ApiRequest): Promise<ApiRequest> {
  const { service, actor, headers } = request
  const requestedName = (branchIn(request.search) ?? headers[BRANCH_HEADER]) || undefined
  const bound = actor.kind === 'user' ? actor.branchId : undefined
  if (requestedName === undefined && bound === undefined) return request
  if (lastValue(request.search, AS_OF)) {
    throw invalid({ [AS_OF]: ['Past states of a branch are not stored. Omit either the time or the branch.'] })
  }
  const open = (text: string) => openBranch(service, text, visibleBranches(request))
  const branch = bound === undefined ? await open(requestedName ?? '') : await branchOfToken(request, bound)
  if (bound !== undefined && requestedName !== undefined && (await open(requestedName)).id !== bound) {
    throw forbidden(`This token is bound to the branch "${branch.name}".`)
  }
  return {
    ...request,
    search: withoutBranch(request.search),
    service: branchService(service, branch),
    actor: actorInBranch(actor),
  }
}

/** The branches that the sender may view: others count as missing. */
const visibleBranches = ({ actor, service: { registry, settings } }: Pick<ApiRequest, 'actor' | 'service'>) =>
  permittedRowsOrNone(actor, 'view', registry.model(SYSTEM.branch), settings)

/** The branch with this id, if the sender may view it. `service`: that of main. */
export async function visibleBranch(
  request: Pick<ApiRequest, 'actor' | 'service'>,
  id: number | null,
): Promise<Branch | undefined> {
  const visible = visibleBranches(request)
  const hasId = sql`t.id = ${id}::bigint`
  return await findBranch(request.service, visible === 'all' ? hasId : sql`${hasId} and ${visible}`)
}

/**
 * The branch of a token, which becomes useless once the branch is closed, or hidden from its user: it never reads or
 * writes main.
 */
async function branchOfToken(request: ApiRequest, id: number): Promise<Branch> {
  const branch = await visibleBranch(request, id)
  if (!branch) throw forbidden('This token is bound to a branch that you may not view.')
  if (branch.status === OPEN) return branch
  throw forbidden(`This token is bound to the branch "${branch.name}", which is ${branch.status}.`)
}
