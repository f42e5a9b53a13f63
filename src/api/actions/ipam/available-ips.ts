import { invalid, type Messages } from '../../../base/errors.ts'
import { isJsonObject } from '../../../schema/json.ts'
import {
  formatInterface,
  formatIp,
  type Interface,
  type Ip,
  lastOf,
  storedInterface,
  widthOf,
} from '../../../schema/net/ip.ts'
import { type Sql, sql } from '../../../sql/fragment.ts'
import type { Queryable } from '../../../sql/queryable.ts'
import type { ApiRequest } from '../../api-request.ts'
import { nullable } from '../../openapi/value-schema.ts'
import { type Action, schema } from '../action.ts'
import { exhausted, withValues } from '../allocate.ts'
import { limitOf } from '../limit.ts'
import { nestedText } from '../nested.ts'
import { findTarget } from '../target.ts'
import { availableAction } from './available-action.ts'
import { type AddressSpace, freeAddresses } from './free-addresses.ts'

/** A prefix or a range whose free addresses can be allocated. */
interface Parent {
  /** Which free addresses to search for; undefined if none may be allocated. */
  readonly space: AddressSpace | undefined
  readonly family: 4 | 6
  /** Prefix length of allocated addresses. */
  readonly length: number
  readonly vrf: number | null
}

type FindParent = (request: ApiRequest, queryable: Queryable) => Promise<Parent>

const prefixParent: FindParent = async (request, queryable) => {
  const { prefix, vrf, ...row } = await findTarget<{
    prefix: string
    vrf: number | null
    status: string
    is_pool: boolean
  }>(request, 'ipam.prefix', {
    columns: sql`, t.prefix, t.vrf_id as vrf, t.status, t.is_pool`,
    queryable,
  })
  const network = storedInterface(prefix)
  const isContainer = vrf === null && row.status === 'container'
  return {
    family: network.family,
    length: network.length,
    vrf,
    space: {
      family: network.family,
      ...usable(network, row.is_pool),
      // A container of the global table includes addresses of every VRF (NetBox 4.6.8, prefixes, rule 4).
      vrf: { addresses: isContainer ? sql`true` : inVrf(vrf), ranges: inVrf(vrf) },
      network,
    },
  }
}

const rangeParent: FindParent = async (request, queryable) => {
  const row = await findTarget<{
    start_address: string
    end_address: string
    vrf: number | null
    mark_populated: boolean
  }>(request, 'ipam.iprange', {
    columns: sql`, t.start_address, t.end_address, t.vrf_id as vrf, t.mark_populated`,
    queryable,
  })
  const start = storedInterface(row.start_address)
  const end = storedInterface(row.end_address)
  const vrf = { addresses: inVrf(row.vrf), ranges: sql`false` }
  const space = {
    family: start.family,
    first: start.value,
    last: end.value,
    vrf,
    network: undefined,
  }
  return {
    family: start.family,
    length: start.length,
    vrf: row.vrf,
    space: row.mark_populated ? undefined : space,
  }
}

export const inVrf = (vrf: number | null): Sql =>
  vrf === null ? sql`t.vrf_id is null` : sql`t.vrf_id = ${vrf}::bigint`

/**
 * First and last assignable address: without the network and broadcast addresses of IPv4, and without the anycast
 * address of IPv6 routers (RFC 4291 §2.6.1).
 */
function usable(network: Interface, isPool: boolean): { first: bigint; last: bigint } {
  const first = network.value
  const last = lastOf(network).value
  if (isPool || network.length >= widthOf(network.family) - 1) return { first, last }
  return { first: first + 1n, last: network.family === 4 ? last - 1n : last }
}

/** The prefix length of each address: from its body, or the parent's. Throws `invalid`, always with a list. */
function lengthsOf(bodies: readonly unknown[], { family, length }: Pick<Parent, 'family' | 'length'>): number[] {
  const lengths = bodies.map((body) => {
    const requested = isJsonObject(body) ? (body.prefix_length ?? length) : length
    return integerOf(requested)
  })
  const messages = lengths.map((value): Messages => {
    const refusal = refusalOf(value, family, length)
    return refusal === undefined ? {} : { prefix_length: [refusal] }
  })
  if (messages.some((errors) => Object.keys(errors).length > 0)) throw invalid(messages)
  return lengths.filter((value) => value !== undefined)
}

/** A whole number, possibly written as text; undefined for any other value. */
function integerOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isInteger(value) ? value : undefined
  return typeof value === 'string' && /^\s*-?\d+\s*$/.test(value) ? Number(value) : undefined
}

function refusalOf(value: number | undefined, family: 4 | 6, least: number): string | undefined {
  if (value === undefined) return 'A valid integer is required.'
  if (value < least) {
    return `Prefix length must be greater than or equal to the parent mask length (${least})`
  }
  return value > widthOf(family) ? `Invalid prefix length (${value}) for IPv${family}` : undefined
}

const availableIps = (path: string, parent: string, find: FindParent): Action =>
  availableAction<Parent>({
    path: `${path}/:id/available-ips`,
    title: 'IP Address',
    parent,
    creates: 'ipam.ipaddress',
    schemaNames: { entry: 'AvailableIP', body: 'AvailableIPRequestRequest', created: 'IPAddress' },
    find,
    list: async (request, { space, family, length, vrf }) => {
      const { database } = request.service
      const free = space ? await freeAddresses(database, space, limitOf(request)) : []
      const text = await nestedText(request, 'ipam.vrf', vrf)
      const entry = (ip: Ip) => `{"family":${family},"address":"${formatInterface({ ...ip, length })}","vrf":${text}}`
      return free.map(entry)
    },
    complete: async (bodies, { space, vrf, ...parent }, queryable) => {
      const lengths = lengthsOf(bodies, parent)
      const free = space ? await freeAddresses(queryable, space, bodies.length) : []
      if (free.length < bodies.length) throw exhausted()
      return bodies.map((body, index) => {
        const ip = free[index]
        if (!ip) throw exhausted()
        return withValues(body, { address: `${formatIp(ip)}/${lengths[index]}`, vrf })
      })
    },
    schemas: {
      AvailableIP: {
        type: 'object',
        properties: {
          family: { type: 'integer', readOnly: true },
          address: { type: 'string', readOnly: true },
          vrf: { ...nullable(schema('BriefVRF')), readOnly: true },
          description: { type: 'string' },
        },
        required: ['address', 'family', 'vrf'],
      },
      // The client may set everything but the address.
      AvailableIPRequestRequest: {
        allOf: [
          schema('PatchedWritableIPAddressRequest'),
          { type: 'object', properties: { prefix_length: { type: 'integer' } } },
        ],
      },
    },
  })

export const availableIpsActions: readonly Action[] = [
  availableIps('ipam/prefixes', 'ipam.prefix', prefixParent),
  availableIps('ipam/ip-ranges', 'ipam.iprange', rangeParent),
]
