import type { ApiRequest } from '../../api/api-request.ts'
import { permittedRowsOrNone } from '../../identity/permitted-rows.ts'
import { cachedNumbers } from '../../read/query/cached-column.ts'
import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import { join, type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { shownTitle } from '../components/model-title.ts'
import { panel } from '../components/panel.ts'
import { linkToObject, valueDisplay } from '../components/value.ts'
import { displayOptionsOf } from '../data/display-options.ts'
import { visibleObjects } from '../data/page-objects.ts'
import type { ObjectPart } from '../frame/object-content.ts'
import { type Content, html } from '../html.ts'
import { translate } from '../texts/translate.ts'

/** Maximum number of parents of each kind that a page names. */
const MOST = 50

/**
 * The parents of a prefix, a range or an address, the largest first: its aggregate, and the prefixes of its VRF.
 * Containers of the global table contain prefixes of VRFs too, as in NetBox 4.6.8 (ipam/views.py).
 */
export const parentsPart: ObjectPart = {
  models: ['ipam.ipaddress', 'ipam.iprange', 'ipam.prefix'],
  load: async ({ request, object }) => {
    const { registry } = request.service
    const vrf = isJsonObject(object.vrf) ? Number(object.vrf.id) : null
    const inVrf =
      vrf === null
        ? sql`t.vrf_id is null`
        : sql`(t.vrf_id = ${vrf}::bigint or t.vrf_id is null and t.status = 'container')`
    const encloses = placeOf(object)
    const [aggregates, prefixes] = await Promise.all([
      parentsOf(request, registry.model('ipam.aggregate'), encloses, ['id', 'url', 'display', 'rir']),
      parentsOf(request, registry.model('ipam.prefix'), sql`${encloses} and ${inVrf}`, [
        ...['id', 'url', 'display', 'status', 'vrf', 'scope', 'description'],
      ]),
    ])
    const objects = [...aggregates, ...prefixes]
    if (objects.length === 0) return {}
    const options = await displayOptionsOf(request, objects)
    const status = registry.model('ipam.prefix').fields.get('status')
    const row = (object: JsonObject, about: Content): Content =>
      html`<li>${linkToObject(object, options)} ${about}</li>`
    return {
      left: panel(
        translate('Parents'),
        html`<ul class="parents">${aggregates.map((object) => row(object, shownTitle(registry.model('ipam.aggregate'))))}${prefixes.map((object) => row(object, valueDisplay(status, object.status, options)))}</ul>`,
      ),
      styles: ['addresses.css'],
    }
  },
}

/** Whether the network `t.prefix` contains the object. */
function placeOf({ prefix, address, start_address: start, end_address: end }: JsonObject): Sql {
  if (typeof prefix === 'string') return sql`t.prefix >> ${prefix}::cidr`
  const hosts = [address, start, end].flatMap((text) => (typeof text === 'string' ? (text.split('/')[0] ?? []) : []))
  return join(
    hosts.map((host) => sql`t.prefix >>= ${host}::inet`),
    ' and ',
  )
}

async function parentsOf(
  request: ApiRequest,
  model: Model,
  where: Sql,
  fields: readonly string[],
): Promise<readonly JsonObject[]> {
  const { actor, service } = request
  const rows = permittedRowsOrNone(actor, 'view', model, service.settings)
  const visible = rows === 'all' ? sql`true` : sql`(${rows})`
  const ids = await cachedNumbers(
    service,
    sql`select t.id from ${table(model)} t where ${where} and ${visible} order by masklen(t.prefix), t.id limit ${MOST}::int`,
  )
  const objects = await visibleObjects(request, model, ids, fields)
  return ids.flatMap((id) => {
    const object = objects.get(id)
    return object ? [object] : []
  })
}
