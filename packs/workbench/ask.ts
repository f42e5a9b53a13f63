/** Asking for a network: the first free one of a size, proposed in a branch with a change request. */
import { randomUUID } from 'node:crypto'
import {
  ApiError,
  type ApiRequest,
  branchService,
  findTarget,
  formatInterface,
  freeNetworks,
  type HttpResponse,
  type Interface,
  invalid,
  isJsonObject,
  jsonResponse,
  openBranch,
  parseInterface,
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
import { isWithin, PREFIX, prefixOf } from './contents.ts'
import { inheritedOf } from './reshape.ts'

/** The action of permissions for prefixes in which a user may ask for networks. */
export const ASK = 'request'
const BRANCH = 'core.branch'
const CHANGE_REQUEST = 'core.changerequest'

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
  if (typeof purpose !== 'string' || purpose.trim() === '' || purpose.length > 150) {
    throw invalid({ description: ['Say what the network is for, in at most 150 characters.'] })
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
  const title = `/${length} in ${parent.prefix}: ${purpose}`
  const name = `${title.slice(0, 75)} (request ${randomUUID().slice(0, 8)})`
  // Under the lock, so that no other request proposes the same network.
  const asked = await writeAs(service, writer, async (write): Promise<Asked> => {
    write.lock(PREFIX)
    const network = await firstFree(write.database, parent, length)
    const [branch = 0] = await write.create(BRANCH, [{ name, description: purpose }])
    const [changeRequest = 0] = await write.create(CHANGE_REQUEST, [{ title, branch, description: network, reviewers }])
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
  const taken = await database.queryColumn(sql`
    select t.prefix::text from ${table(PREFIX)} t
    where t.prefix << ${parent.prefix}::cidr and t.vrf_id is not distinct from ${parent.vrf}::bigint`)
  // What others have asked for is in their branches.
  const proposed = await database.queryColumn(sql`
    select t.description from ${table(CHANGE_REQUEST)} t where t.status in ('draft', 'open')`)
  const networks = [...taken, ...proposed].flatMap((text) => {
    const network = String(text).includes('/') ? parseInterface(String(text)) : undefined
    return network && isInside(network, whole) ? [network] : []
  })
  const free = freeNetworks(whole, networks)
  const allocation = takeNetwork(free, length)
  if (!allocation) throw invalid({ prefix_length: [`There is no free /${length} in ${parent.prefix}.`] })
  return formatInterface(allocation.network)
}

const isInside = (network: Interface, whole: Interface): boolean =>
  network.length >= whole.length && isWithin(prefixOf(network), whole)

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
