import { rowSecurityOf } from '../../identity/permitted-rows.ts'
import { applyRowSecurity } from '../../read/query/row-security.ts'
import { isJsonObject } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import { words } from '../../schema/view.ts'
import { join, type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { addressModels } from '../addresses/address-models.ts'
import { prefixPicture } from '../addresses/space-part.ts'
import { visibleObjects } from '../data/page-objects.ts'
import { html } from '../html.ts'
import { translate } from '../texts/translate.ts'
import type { NetChange } from './net-changes.ts'
import type { PictureKind } from './pictures.ts'

/** Maximum number of changed objects whose parents are looked up. */
const MOST = 200

/** The prefixes in which a branch changes what is in use: those directly around changed prefixes, ranges and addresses. */
export const prefixPictures: PictureKind = {
  heading: () => translate('Prefixes before and after'),
  model: 'ipam.prefix',
  fields: {
    'ipam.prefix': words('prefix vrf status mark_utilized is_pool'),
    'ipam.iprange': words('start_address end_address vrf mark_utilized mark_populated'),
    'ipam.ipaddress': words('address vrf'),
  },
  objects: async ({ actor, service: { database, registry, settings } }, changes) => {
    const { prefix, range, address } = addressModels(registry)
    const among = (model: Model): Sql => sql`${table(model)} t where t.id = any(${idsOf(changes, model)}::bigint[])`
    const places = [
      sql`select t.id as own, t.prefix as place, masklen(t.prefix) - 1 as longest, t.vrf_id from ${among(prefix)}`,
      sql`select null, t.start_address, masklen(t.start_address), t.vrf_id from ${among(range)}`,
      sql`select null, t.address, masklen(t.address), t.vrf_id from ${among(address)}`,
    ]
    // All networks around a place, so that an index finds the prefixes among them.
    const enclosing = sql`select network(set_masklen(c.place::inet, n)) from generate_series(0, c.longest) n`
    const statement = sql`
      select coalesce(p.id, c.own) from (${join(places, ' union all ')}) c left join lateral (
        select t.id from ${table(prefix)} t
        where t.prefix = any(array(${enclosing})) and (t.vrf_id = c.vrf_id or t.vrf_id is null and c.vrf_id is null)
        order by t.prefix desc, t.id limit 1) p on true`
    const parents = await database.queryColumn(applyRowSecurity(rowSecurityOf(actor, registry, settings), statement))
    return parents.filter((id) => id !== null).map(Number)
  },
  draw: async (request, ids, { title }) => {
    const { prefix } = addressModels(request.service.registry)
    const objects = await visibleObjects(request, prefix, ids, words('id prefix vrf status is_pool mark_utilized'))
    const pictures = [...objects].map(async ([id, object]) => {
      const { vrf } = object
      const name = [object.prefix, ...(isJsonObject(vrf) ? [vrf.display] : [])].join(', ')
      const picture = html`<div><h4>${title}</h4>${await prefixPicture(request, object)}</div>`
      return [id, { name, picture }] as const
    })
    return new Map(await Promise.all(pictures))
  },
}

const idsOf = (changes: readonly NetChange[], { name }: Model): readonly number[] =>
  changes.flatMap(({ type, id }) => (type === name ? [id] : [])).slice(0, MOST)
