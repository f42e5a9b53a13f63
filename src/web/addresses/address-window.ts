import type { ApiRequest } from '../../api/api-request.ts'
import { permittedRowsOrNone } from '../../identity/permitted-rows.ts'
import { formatIp, type Ip, parseIp } from '../../schema/net/ip.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { inVrf, type VrfChoice } from './prefix-tree.ts'

/** Part of an address space, in ascending order: an address, a range, or addresses that are free. */
export type SpacePart =
  | ({
      readonly kind: 'address' | 'range'
      readonly id: number
      readonly isVisible: boolean
    } & Span)
  | ({ readonly kind: 'free' } & Span)

interface Span {
  readonly first: bigint
  readonly last: bigint
}

export interface AddressWindow {
  readonly parts: readonly SpacePart[]
  /** First address after the window; undefined at the end. */
  readonly next: bigint | undefined
}

interface StoredSpan {
  readonly [column: string]: unknown
  readonly kind: 'address' | 'range'
  readonly id: number
  readonly first: string
  readonly last: string
  readonly isTaken: boolean
  readonly isVisible: boolean
}

/** Addresses and ranges from `first` to `last`, with the free addresses between them; at most `limit` stored ones. */
export async function addressWindow(
  { service, actor }: Pick<ApiRequest, 'service' | 'actor'>,
  {
    family,
    first,
    last,
    vrf,
    limit,
  }: Span & {
    readonly family: 4 | 6
    readonly vrf: VrfChoice
    readonly limit: number
  },
): Promise<AddressWindow> {
  const [address, range] = ['ipam.ipaddress', 'ipam.iprange'].map((name) => service.registry.model(name))
  if (!address || !range) return { parts: [], next: undefined }
  const seen = (model: typeof address): Sql => {
    const rows = permittedRowsOrNone(actor, 'view', model, service.settings)
    return rows === 'all' ? sql`true` : sql`(${rows})`
  }
  // The index on VRF and address has this order; "is null" alone does not show the planner that the VRF is the same for all rows.
  const sameVrf = vrf === undefined ? sql`` : sql`t.vrf_id, `
  const text = (value: bigint): Sql => sql`${formatIp({ family, value } satisfies Ip)}::inet`
  const rows = await service.database.query<StoredSpan>(sql`
    select * from (
      (select 'address' as kind, t.id, host(t._host) as first, host(t._host) as last, true as "isTaken",
        ${seen(address)} as "isVisible", t._host as place
      from ${table(address)} t where t._host between ${text(first)} and ${text(last)} and ${inVrf(vrf)}
      order by ${sameVrf}t._host, t.id limit ${limit + 1}::int)
      union all
      (select 'range', t.id, host(t.start_address), host(t.end_address), t.mark_populated,
        ${seen(range)}, host(t.start_address)::inet
      from ${table(range)} t
      where host(t.start_address)::inet between ${text(first)} and ${text(last)} and ${inVrf(vrf)}
      order by t.start_address limit ${limit + 1}::int)
    ) parts order by place, kind desc, id limit ${limit + 1}::int`)
  const isCut = rows.length > limit
  const spans = rows.map((row) => ({
    ...row,
    first: addressNumber(row.first),
    last: addressNumber(row.last),
  }))
  const end = isCut ? (spans.at(-1)?.first ?? last) : undefined
  const parts: SpacePart[] = []
  let next = first
  for (const span of spans.slice(0, limit)) {
    if (span.first > next) parts.push({ kind: 'free', first: next, last: span.first - 1n })
    const { kind, id, isVisible } = span
    parts.push({ kind, id: Number(id), isVisible, first: span.first, last: span.last })
    const after = span.isTaken ? span.last + 1n : span.first
    if (after > next) next = after
  }
  const stop = end === undefined ? last : end - 1n
  if (next <= stop) parts.push({ kind: 'free', first: next, last: stop })
  return { parts, next: end }
}

function addressNumber(text: string): bigint {
  const ip = parseIp(text)
  if (!ip) throw new Error(`${text} is not an address`)
  return ip.value
}
