/** Asking for a network: the first free one of a size, proposed in a branch with a change request. */
import { randomUUID } from 'node:crypto'
import {
  ApiError,
  type ApiRequest,
  branchService,
  findTarget,
  firstCharacters,
  formatInterface,
  freeNetworks,
  type HttpResponse,
  insertInto,
  invalid,
  isJsonObject,
  jsonResponse,
  openBranch,
  type Queryable,
  requestOf,
  settingsOfPack,
  sql,
  storedInterface,
  table,
  takeNetwork,
  widthOf,
  writeAs,
} from 'cadastre'
import { PREFIX } from './contents.ts'
import { inheritedOf } from './reshape.ts'

/** The action of permissions for prefixes in which a user may ask for networks. */
export const ASK = 'request'
const BRANCH = 'core.branch'
const CHANGE_REQUEST = 'core.changerequest'
const PROPOSAL = 'workbench.proposal'

interface Wanted {
  readonly length: number
  readonly purpose: string
}

interface Asked {
  readonly network: string
  readonly branch: number
  readonly changeRequest: number
}

/** The wanted network in a body. Throws `invalid`. */
function wantedIn(body: unknown): Wanted {
  const { prefix_length: length, description: purpose } = isJsonObject(body) ? body : {}
  if (!Number.isSafeInteger(length)) throw invalid({ prefix_length: ['A valid integer is required.'] })
  if (typeof purpose !== 'string' || purpose.trim() === '' || [...purpose.trim()].length > 150) {
    throw invalid({ description: ['Say what the network is for, in at most 150 characters.'] })
  }
  if (purpose.includes('\0') || !purpose.isWellFormed()) {
    throw invalid({ description: ['Null characters and lone surrogates are not allowed.'] })
  }
  return { length: Number(length), purpose: purpose.trim() }
}

/**
 * Proposes the first free network of the length in the prefix of the path. The sender needs the permission `request` for
 * that prefix, and nothing else: all that is written for them is a branch with the new prefix, and its change request.
 */
export async function askForNetwork(request: ApiRequest, body: unknown): Promise<Asked> {
  const { length, purpose } = wantedIn(body)
  const { service } = request
  if (service.branch) {
    throw new ApiError({ kind: 'malformed', detail: 'Ask for networks without a branch: each request gets its own.' })
  }
  const parent = await findTarget<{ id: number; prefix: string; vrf: number | null }>(request, PREFIX, {
    permission: ASK,
    columns: sql`, t.prefix::text as prefix, t.vrf_id as vrf`,
  })
  const reviewers = await reviewersOf(request)
  const { actor, ...origin } = requestOf(request)
  const writer = { ...origin, actor: { ...actor, isSuperuser: true } }
  const title = firstCharacters(`/${length} in ${parent.prefix}: ${purpose}`, 200)
  const name = `${firstCharacters(title, 75)} (request ${randomUUID().slice(0, 8)})`
  // Under the lock, so that no other request proposes the same network.
  const asked = await writeAs(service, writer, async (write): Promise<Asked> => {
    write.lock(PREFIX)
    const network = await firstFree(write.database, parent, length)
    const [branch = 0] = await write.create(BRANCH, [{ name, description: purpose }])
    const [changeRequest = 0] = await write.create(CHANGE_REQUEST, [{ title, branch, description: network, reviewers }])
    await write.database.execute(sql`
      ${insertInto(PROPOSAL)} (change_request_id, network, vrf)
      values (${changeRequest}::bigint, ${network}::cidr, ${parent.vrf}::bigint)`)
    return { network, branch, changeRequest }
  })
  try {
    const open = branchService(service, await openBranch(service, name, 'all'))
    await writeAs(open, writer, async (write) => {
      const values = await inheritedOf(write.database, parent.id)
      await write.create(PREFIX, [{ ...values, prefix: asked.network, description: purpose }])
    })
    return asked
  } catch (error) {
    await writeAs(service, writer, async (write) => {
      await write.remove(CHANGE_REQUEST, [asked.changeRequest])
      await write.remove(BRANCH, [asked.branch])
    })
    throw error
  }
}

/** The first network of the length that no prefix of the VRF takes. Throws `invalid` if there is none. */
async function firstFree(
  database: Queryable,
  parent: { readonly prefix: string; readonly vrf: number | null },
  length: number,
): Promise<string> {
  const whole = storedInterface(parent.prefix)
  if (length <= whole.length || length > widthOf(whole.family)) {
    throw invalid({ prefix_length: [`Expected a length from ${whole.length + 1} to ${widthOf(whole.family)}.`] })
  }
  // What others have asked for is in their branches.
  const taken = await database.queryColumn(sql`
    select t.prefix::text from ${table(PREFIX)} t
    where t.prefix << ${parent.prefix}::cidr and t.vrf_id is not distinct from ${parent.vrf}::bigint
    union all
    select p.network::text from ${table(PROPOSAL)} p join ${table(CHANGE_REQUEST)} t on t.id = p.change_request_id
    where t.status in ('draft', 'open') and p.network << ${parent.prefix}::cidr
      and p.vrf is not distinct from ${parent.vrf}::bigint`)
  const free = freeNetworks(
    whole,
    taken.map((network) => storedInterface(String(network))),
  )
  const allocation = takeNetwork(free, length)
  if (!allocation) throw invalid({ prefix_length: [`There is no free /${length} in ${parent.prefix}.`] })
  return formatInterface(allocation.network)
}

/** The users who are asked for reviews, by the setting of the pack. */
async function reviewersOf({ service }: ApiRequest): Promise<readonly number[]> {
  const { reviewers } = await settingsOfPack(service, 'workbench')
  const names = String(reviewers ?? '')
    .split(',')
    .map((name) => name.trim())
  const ids = await service.database.queryColumn(sql`
    select t.id from ${table('users.user')} t where t.is_active and t.username = any(${names}::text[]) order by t.id`)
  return ids.map(Number)
}

/** POST: asks for a network. */
export async function ask(request: ApiRequest): Promise<HttpResponse> {
  const { network, branch, changeRequest } = await askForNetwork(request, await request.body.read())
  return jsonResponse(201, {
    prefix: network,
    branch: { id: branch, url: `${request.base}/api/core/branches/${branch}/` },
    change_request: { id: changeRequest, url: `${request.base}/api/core/change-requests/${changeRequest}/` },
  })
}
