import type { ApiRequest } from '../../api/api-request.ts'
import { cachedResult } from '../../read/query/cached-column.ts'
import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import { parseInterface } from '../../schema/net/ip.ts'
import type { Model } from '../../schema/registry.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import type { FurtherColumns } from '../components/further-columns.ts'
import { utilizationCell } from '../components/utilization-bar.ts'
import { translate } from '../texts/translate.ts'
import { assignableSize, canRunOut } from './prefix-tree.ts'
import { addressUsage, coveredShares } from './prefix-usage.ts'

/** The column with the utilization of prefixes or of aggregates; undefined for other models. */
export function addressColumns(request: ApiRequest, model: Model): FurtherColumns | undefined {
  const shares = SHARES[model.name]
  if (!shares) return undefined
  const label = translate('Utilization')
  return {
    fields: shares.fields.filter((name) => model.answer.includes(name)),
    headings: [label],
    after: shares.after,
    load: async (objects) => {
      const byId = await shares.load(request, objects)
      return (object) => ({
        cells: [utilizationCell(label, byId.get(Number(object.id)), prefixCanRunOut(object))],
      })
    },
  }
}

type Shares = ReadonlyMap<number, number>

const SHARES: Readonly<
  Record<
    string,
    {
      readonly fields: readonly string[]
      readonly after: string
      readonly load: (request: ApiRequest, objects: readonly JsonObject[]) => Promise<Shares>
    }
  >
> = {
  'ipam.prefix': {
    fields: ['prefix', 'status', 'is_pool', 'mark_utilized'],
    after: 'status',
    load: prefixShares,
  },
  'ipam.aggregate': { fields: ['prefix'], after: 'prefix', load: aggregateShares },
}

/** Whether a prefix may run out of addresses; an aggregate, which has no status, is divided like a container. */
export function prefixCanRunOut({ prefix, status, mark_utilized: isUtilized }: JsonObject): boolean {
  const network = parseInterface(String(prefix))
  if (!network || !isJsonObject(status)) return false
  return canRunOut({ network, status: status.value, isUtilized: isUtilized === true })
}

/** Shares of used addresses; for a container, the share covered by its prefixes. */
export async function prefixShares({ service }: ApiRequest, prefixes: readonly JsonObject[]): Promise<Shares> {
  const isContainer = ({ status }: JsonObject): boolean => isJsonObject(status) && status.value === 'container'
  const idsOf = (list: readonly JsonObject[]) => list.map(({ id }) => Number(id))
  const [usage, covered] = await Promise.all([
    addressUsage(service, idsOf(prefixes.filter((object) => !isContainer(object)))),
    coveredShares(service, idsOf(prefixes.filter(isContainer))),
  ])
  return new Map(
    prefixes.flatMap((prefix): [number, number][] => {
      const id = Number(prefix.id)
      const network = parseInterface(String(prefix.prefix))
      if (!network) return []
      if (prefix.mark_utilized === true) return [[id, 1]]
      const size = Number(assignableSize(network, prefix.is_pool === true))
      const share = isContainer(prefix) ? covered.get(id) : (usage.get(id) ?? 0) / size
      return [[id, Math.min(share ?? 0, 1)]]
    }),
  )
}

/** Shares covered by the outermost prefixes within the aggregates, in any VRF. */
async function aggregateShares({ service }: ApiRequest, aggregates: readonly JsonObject[]): Promise<Shares> {
  const prefix = table('ipam.prefix')
  const ids = aggregates.map(({ id }) => Number(id))
  const rows = await cachedResult(
    service,
    sql`select t.id, (
        select sum(2.0 ^ (masklen(t.prefix) - masklen(c.prefix)))::float8 from (
          select distinct p.prefix from ${prefix} p where p.prefix <<= t.prefix
            and not exists (select from ${prefix} o where o.prefix >> p.prefix and o.prefix <<= t.prefix)) c)
      from ${table('ipam.aggregate')} t where t.id = any(${ids}::bigint[])`,
  )
  return new Map(rows.map(([id, share]) => [Number(id), Math.min(Number(share ?? 0), 1)]))
}
