import { invalid, type Messages } from '../../../base/errors.ts'
import { isJsonObject } from '../../../schema/json.ts'
import { freeNetworks, takeNetwork } from '../../../schema/net/free-space.ts'
import { formatInterface, type Interface, storedInterface, widthOf } from '../../../schema/net/ip.ts'
import { sql } from '../../../sql/fragment.ts'
import type { Queryable } from '../../../sql/queryable.ts'
import { table } from '../../../sql/table.ts'
import type { ApiRequest } from '../../api-request.ts'
import { nullable } from '../../openapi/value-schema.ts'
import { schema } from '../action.ts'
import { exhausted, withValues } from '../allocate.ts'
import { nestedText } from '../nested.ts'
import { findTarget } from '../target.ts'
import { availableAction } from './available-action.ts'
import { inVrf } from './available-ips.ts'

interface Parent {
  readonly family: 4 | 6
  readonly vrf: number | null
  /** Free space as the smallest number of networks, ascending. */
  readonly free: readonly Interface[]
}

async function findParent(request: ApiRequest, queryable: Queryable): Promise<Parent> {
  const { prefix, vrf } = await findTarget<{ prefix: string; vrf: number | null }>(request, 'ipam.prefix', {
    columns: sql`, t.prefix, t.vrf_id as vrf`,
    queryable,
  })
  const children = await queryable.query<{ prefix: string }>(sql`
    select t.prefix from ${table('ipam.prefix')} t
    where t.prefix << ${prefix}::cidr and ${inVrf(vrf)}`)
  const whole = storedInterface(prefix)
  const used = children.map((child) => storedInterface(child.prefix))
  return { family: whole.family, vrf, free: freeNetworks(whole, used) }
}

/** The requested prefix lengths. Throws `invalid`, always with a list. */
function lengthsOf(bodies: readonly unknown[], family: 4 | 6): number[] {
  const lengths = bodies.map((body) => (isJsonObject(body) ? body.prefix_length : undefined))
  const messages = lengths.map((length): Messages => {
    const refusal = refusalOf(length, family)
    return refusal === undefined ? {} : { prefix_length: [refusal] }
  })
  if (messages.some((errors) => Object.keys(errors).length > 0)) throw invalid(messages)
  return lengths.map(Number)
}

function refusalOf(length: unknown, family: 4 | 6): string | undefined {
  if (length === undefined || length === null) return 'this field can not be missing'
  if (!Number.isInteger(length)) return 'this field must be int type'
  return Number(length) > widthOf(family) || Number(length) < 0
    ? `Invalid prefix length (${length}) for IPv${family}`
    : undefined
}

/** Free space of a prefix, as networks that no other prefix contains. */
export const availablePrefixes = availableAction<Parent>({
  path: 'ipam/prefixes/:id/available-prefixes',
  title: 'Prefix',
  parent: 'ipam.prefix',
  creates: 'ipam.prefix',
  schemaNames: { entry: 'AvailablePrefix', body: 'PrefixLengthRequest', created: 'Prefix' },
  find: findParent,
  list: async (request, { family, vrf, free }) => {
    const text = await nestedText(request, 'ipam.vrf', vrf)
    return free.map((network) => `{"family":${family},"prefix":"${formatInterface(network)}","vrf":${text}}`)
  },
  complete: async (bodies, { family, vrf, free }) => {
    const lengths = lengthsOf(bodies, family)
    let remaining = free
    return bodies.map((body, index) => {
      const allocation = takeNetwork(remaining, lengths[index] ?? 0)
      if (!allocation) throw exhausted()
      remaining = allocation.rest
      return withValues(body, { prefix: formatInterface(allocation.network), vrf })
    })
  },
  schemas: {
    AvailablePrefix: {
      type: 'object',
      properties: {
        family: { type: 'integer', readOnly: true },
        prefix: { type: 'string', readOnly: true },
        vrf: { ...nullable(schema('BriefVRF')), readOnly: true },
      },
      required: ['family', 'prefix', 'vrf'],
    },
    PrefixLengthRequest: {
      allOf: [
        schema('PatchedWritablePrefixRequest'),
        { type: 'object', properties: { prefix_length: { type: 'integer' } }, required: ['prefix_length'] },
      ],
    },
  },
})
