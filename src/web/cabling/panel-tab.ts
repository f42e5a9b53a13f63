import type { ApiRequest } from '../../api/api-request.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
import { isJsonObject, type JsonObject, objectsIn } from '../../schema/json.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { componentLink } from '../components/component-link.ts'
import { colorDisplay, type DisplayOptions, linkToObject } from '../components/value.ts'
import { displayOptionsOf } from '../data/display-options.ts'
import type { ObjectPart, ObjectTab } from '../frame/object-content.ts'
import { type Content, type Html, html } from '../html.ts'
import { listOfChildren } from '../object-parts/children.ts'
import { translate } from '../texts/translate.ts'
import { CABLING_MODELS } from './cabling-models.ts'
import { CONNECT, CONNECT_FIELDS, connectAddress } from './connect-link.ts'
import { readBy } from './read-by.ts'

/** Fields of ports that the page shows. */
const FIELDS = [...CONNECT_FIELDS, ...['name', 'color', 'positions', 'link_peers', 'rear_ports']]

/** The front and rear ports of a patch panel, and their connections. */
export const panelTab: ObjectTab = {
  models: [CABLING_MODELS.device],
  path: 'panel',
  label: () => translate('Panel'),
  list: (registry, _model, object) =>
    listOfChildren(registry, { model: CABLING_MODELS.frontPort, by: { device_id: 'id' } }, object),
  isHiddenIfEmpty: true,
  load: async ({ request, object }) => {
    const { registry } = request.service
    const [front, rear] = [registry.model(CABLING_MODELS.frontPort), registry.model(CABLING_MODELS.rearPort)]
    const [fronts, rears] = await Promise.all([
      portsOf(request, front, Number(object.id)),
      portsOf(request, rear, Number(object.id)),
    ])
    const options = await displayOptionsOf(request, [])
    const byId = new Map(rears.map((port) => [Number(port.id), port]))
    const content = html`${portPanel(
      translate('Front'),
      fronts.map((port) => panelPort(request, front, port, byId)),
      options,
    )}${portPanel(
      translate('Rear'),
      rears.map((port) => panelPort(request, rear, port, new Map())),
      options,
    )}`
    return { content, actions: connectButton(request, front, object), styles: ['cabling.css'] }
  },
}

/** The button on the first page of a patch panel that connects several of its ports. */
export const connectPortsPart: ObjectPart = {
  models: [CABLING_MODELS.device],
  load: ({ request, object }) => {
    const { registry } = request.service
    const hasPorts = (count: unknown): boolean => typeof count === 'number' && count > 0
    const ports = hasPorts(object.front_port_count)
      ? CABLING_MODELS.frontPort
      : hasPorts(object.rear_port_count) && CABLING_MODELS.rearPort
    return ports ? { actions: connectButton(request, registry.model(ports), object) } : {}
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
  const rearPorts = mappings.flatMap((mapping) => {
    if (!isJsonObject(mapping)) return []
    const rear = rears.get(Number(mapping.rear_port))
    return rear ? [{ port: rear, position: Number(mapping.rear_port_position) }] : []
  })
  return { port, rearPorts, connect: connectAddress(request, model, port) }
}

/** The button that connects several ports of the panel. */
function connectButton({ actor, service }: ApiRequest, ports: Model, { id }: JsonObject): Content {
  const cable = service.registry.model(CABLING_MODELS.cable)
  if (!mayAct(actor, 'add', cable, service.settings)) return undefined
  const query = new URLSearchParams({ a_device: String(id), a_type: ports.name })
  return html`<a class="button quiet" href="${service.settings.basePath}${pagePathOf(cable)}${CONNECT}/?${query.toString()}">${translate('Connect ports')}</a>`
}

/** A port of a patch panel. */
interface PanelPort {
  readonly port: JsonObject
  /** Rear ports that it leads to inside the panel. */
  readonly rearPorts: readonly { readonly port: JsonObject; readonly position: number }[]
  /** URL of the form that connects it; absent if it cannot be connected. */
  readonly connect: string | undefined
}

/** One side of a patch panel: its ports in rows, in their physical order, and how many are free. */
function portPanel(title: string, ports: readonly PanelPort[], options: DisplayOptions): Content {
  if (ports.length === 0) return undefined
  const count = ports.filter(({ port }) => port._occupied !== true).length
  return html`<section class="card patch"><h2>${title} <small class="muted">${translate('{count} of {all} ports free', { count, all: ports.length })}</small></h2>
<ol class="ports">${ports.map((port) => portItem(port, options))}</ol></section>`
}

function portItem({ port, rearPorts, connect }: PanelPort, options: DisplayOptions): Html {
  const isFree = port._occupied !== true
  const name = String(port.name)
  return html`<li class="${isFree ? 'port free' : 'port'}"><div class="port-name">${linkToObject({ ...port, display: name }, options)}</div>
${isFree ? freePort(connect, name) : takenPort(port, options)}
${rearPorts.map(({ port: rear, position }) => html`<div class="behind" title="${translate('Inside the panel')}"><span aria-hidden="true">↳</span> ${linkToObject({ ...rear, color: null }, options)}${Number(rear.positions) > 1 && `:${position}`}${objectsIn(rear.link_peers).map((link_peer) => html`<div>${componentLink(link_peer, options)}</div>`)}</div>`)}</li>`
}

const freePort = (connect: string | undefined, name: string): Content =>
  connect === undefined
    ? html`<div class="muted">${translate('Free')}</div>`
    : html`<a class="take" href="${connect}" aria-label="${translate('Connect {name}', { name })}">${translate('Connect')}</a>`

function takenPort(port: JsonObject, options: DisplayOptions): Content {
  const { cable } = port
  const peers = objectsIn(port.link_peers)
  if (!isJsonObject(cable)) return html`<div class="muted">${translate('Marked as connected')}</div>`
  const color = typeof cable.color === 'string' && /^[0-9a-f]{6}$/i.test(cable.color) && colorDisplay(cable.color)
  return html`<div class="peer">${peers.map((peer) => html`<div>${componentLink(peer, options)}</div>`)}<small>${color}${linkToObject({ ...cable, color: null, display: String(cable.label || `#${cable.id}`) }, options)}</small></div>`
}
