import type { ApiRequest } from '../../api/api-request.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { type Content, html } from '../components/html.ts'
import { displayOptionsOf } from '../frame/display-options.ts'
import { listOfChildren } from '../object/children.ts'
import type { ObjectTab } from '../object/object-content.ts'
import { translate } from '../texts/translate.ts'
import { CABLING_MODELS } from './cabling-models.ts'
import { CONNECT } from './connect-address.ts'
import { CONNECT_FIELDS, connectAddress } from './connect-link.ts'
import { type PanelPort, panelView } from './panel-view.ts'
import { readBy } from './read-by.ts'

/** Fields of ports that the page shows. */
const FIELDS = [...CONNECT_FIELDS, ...['name', 'color', 'positions', 'link_peers', 'rear_ports']]

/** The front and rear ports of a patch panel, and what is behind each. */
export const panelTab: ObjectTab = {
  models: [CABLING_MODELS.device],
  path: 'panel',
  label: () => translate('Panel'),
  list: (registry, _model, object) =>
    listOfChildren(registry, { model: CABLING_MODELS.frontPort, by: { device_id: 'id' } }, object),
  isHiddenIfEmpty: true,
  load: async ({ request, object }) => {
    const { registry } = request.service
    const [front, rear] = [
      registry.model(CABLING_MODELS.frontPort),
      registry.model(CABLING_MODELS.rearPort),
    ]
    const [fronts, rears] = await Promise.all([
      portsOf(request, front, Number(object.id)),
      portsOf(request, rear, Number(object.id)),
    ])
    const around = await displayOptionsOf(request, [])
    const byId = new Map(rears.map((port) => [Number(port.id), port]))
    const content = html`${panelView(
      translate('Front'),
      fronts.map((port) => panelPort(request, front, port, byId)),
      around,
    )}${panelView(
      translate('Rear'),
      rears.map((port) => panelPort(request, rear, port, new Map())),
      around,
    )}`
    return { content, actions: connectButton(request, front, object), styles: ['cabling.css'] }
  },
}

const portsOf = (request: ApiRequest, model: Model, device: number) =>
  readBy(request, { model: model.name, parameter: 'device_id', values: [device], fields: FIELDS })

function panelPort(
  request: ApiRequest,
  model: Model,
  port: JsonObject,
  rears: ReadonlyMap<number, JsonObject>,
): PanelPort {
  const mappings = Array.isArray(port.rear_ports) ? port.rear_ports : []
  const behind = mappings.flatMap((mapping) => {
    if (!isJsonObject(mapping)) return []
    const rear = rears.get(Number(mapping.rear_port))
    return rear ? [{ port: rear, position: Number(mapping.rear_port_position) }] : []
  })
  return { port, behind, connect: connectAddress(request, model, port) }
}

/** The button that connects several ports of the panel. */
function connectButton({ actor, service }: ApiRequest, ports: Model, { id }: JsonObject): Content {
  const cable = service.registry.model(CABLING_MODELS.cable)
  if (!mayAct(actor, 'add', cable, service.settings)) return undefined
  const query = new URLSearchParams({ a_device: String(id), a_type: ports.name })
  return html`<a class="button quiet" href="${service.settings.basePath}${pagePathOf(cable)}${CONNECT}/?${query.toString()}">${translate('Connect ports')}</a>`
}
