import type { ApiRequest } from '../../api/api-request.ts'
import { isJsonObject, type JsonObject, objectsIn } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import type { FurtherColumns } from '../components/further-columns.ts'
import { type DisplayOptions, EMPTY, linkToObject } from '../components/value.ts'
import { type Content, html } from '../html.ts'
import { translate } from '../texts/translate.ts'
import { CABLING_MODELS } from './cabling-models.ts'
import { readBy } from './read-by.ts'

/** Maximum number of tagged VLANs in a cell. */
const MOST_VLANS = 6

/** State, addresses and VLANs of interfaces: two reads, whatever the number of rows. */
export function interfaceStateColumns(request: ApiRequest, model: Model): FurtherColumns {
  return {
    fields: ['enabled', 'mgmt_only', 'mode', 'untagged_vlan', 'tagged_vlans', 'lag', 'type', 'description'],
    headings: [translate('State'), translate('IP addresses'), translate('VLANs')],
    load: async (objects) => {
      const ids = objects.map(({ id }) => Number(id))
      const bundles = objects.filter(({ type }) => isJsonObject(type) && type.value === 'lag')
      const [addresses, members] = await Promise.all([
        addressesOf(request, ids),
        membersOf(
          request,
          model.name,
          bundles.map(({ id }) => Number(id)),
        ),
      ])
      return (object, options) => ({
        cells: [
          stateBadge(object, members.get(Number(object.id)) ?? [], options),
          shortList(addresses.get(Number(object.id)) ?? [], options),
          vlanLinks(object, options),
        ],
      })
    },
  }
}

type ById = ReadonlyMap<number, readonly JsonObject[]>

/** Addresses by the id of their interface; none for users who may not view addresses. */
async function addressesOf(request: ApiRequest, values: readonly number[]): Promise<ById> {
  const addresses = await readBy(request, {
    model: CABLING_MODELS.address,
    parameter: 'interface_id',
    values,
    fields: ['assigned_object_id'],
  })
  return Map.groupBy(addresses, (object) => Number(object.assigned_object_id))
}

/** Members by the id of their LAG. */
async function membersOf(request: ApiRequest, model: string, values: readonly number[]): Promise<ById> {
  const members = await readBy(request, { model, parameter: 'lag_id', values, fields: ['lag'] })
  return Map.groupBy(members, ({ lag }) => (isJsonObject(lag) ? Number(lag.id) : 0))
}

function stateBadge(object: JsonObject, members: readonly JsonObject[], options: DisplayOptions): Content {
  const { enabled, mgmt_only: isManagement, lag } = object
  return html`${enabled === false ? html`<span class="badge gray">${translate('Disabled')}</span>` : html`<span class="badge green">${translate('Enabled')}</span>`}${isManagement === true && html` <span class="badge">${translate('Management')}</span>`}${isJsonObject(lag) && html` <div><small>${translate('In')} ${linkToObject(lag, options)}</small></div>`}${members.length > 0 && html` <div><small>${translate('Members:')} ${shortList(members, options)}</small></div>`}`
}

const shortList = (objects: readonly JsonObject[], options: DisplayOptions): Content =>
  objects.length === 0
    ? EMPTY
    : html`<span class="items">${objects.map((object, index) => html`${index > 0 && ', '}${linkToObject(object, options)}`)}</span>`

function vlanLinks(
  { mode, untagged_vlan: untagged, tagged_vlans: tagged }: JsonObject,
  options: DisplayOptions,
): Content {
  const list = objectsIn(tagged)
  const isAll = isJsonObject(mode) && mode.value === 'tagged-all'
  if (!isJsonObject(untagged) && list.length === 0 && !isAll) return EMPTY
  const more = list.length - MOST_VLANS
  const link = (vlan: JsonObject): Content =>
    linkToObject({ ...vlan, display: String(vlan.vid ?? vlan.display) }, options)
  return html`${isJsonObject(untagged) && html`<div>${link(untagged)} <small class="muted">${String(untagged.name ?? '')}</small></div>`}${isAll && html`<div><small class="muted">${translate('Tagged: all')}</small></div>`}${list.length > 0 && html`<div><small class="muted">${translate('Tagged:')}</small> ${list.slice(0, MOST_VLANS).map((object, index) => html`${index > 0 && ', '}${link(object)}`)}${more > 0 && html` <span class="muted">+ ${more}</span>`}</div>`}`
}
