import { isJsonObject, type JsonObject, objectsIn } from '../../schema/json.ts'
import { type Content, type Html, html } from '../components/html.ts'
import { colorDisplay, type DisplayOptions, linkToObject } from '../components/value.ts'
import { componentLink } from '../object/component-link.ts'
import { translate } from '../texts/translate.ts'

/** A port of a patch panel. */
export interface PanelPort {
  readonly port: JsonObject
  /** Rear ports that it leads to inside of the panel. */
  readonly behind: readonly { readonly port: JsonObject; readonly position: number }[]
  /** Address of the form that connects it; absent where it cannot be connected. */
  readonly connect: string | undefined
}

/** One side of a patch panel: its ports in rows, as they stand, and how many are free. */
export function panelView(
  title: string,
  ports: readonly PanelPort[],
  around: DisplayOptions,
): Content {
  if (ports.length === 0) return undefined
  const count = ports.filter(({ port }) => port._occupied !== true).length
  return html`<section class="card patch"><h2>${title} <small class="muted">${translate('{count} of {all} ports free', { count, all: ports.length })}</small></h2>
<ol class="ports">${ports.map((each) => portView(each, around))}</ol></section>`
}

function portView({ port, behind, connect }: PanelPort, around: DisplayOptions): Html {
  const isFree = port._occupied !== true
  const name = String(port.name)
  return html`<li class="${isFree ? 'port free' : 'port'}"><div class="port-name">${linkToObject({ ...port, display: name }, around)}</div>
${isFree ? freeView(connect, name) : takenView(port, around)}
${behind.map(({ port: rear, position }) => html`<div class="behind" title="${translate('Inside of the panel')}"><span aria-hidden="true">↳</span> ${linkToObject({ ...rear, color: null }, around)}${Number(rear.positions) > 1 && `:${position}`}${objectsIn(rear.link_peers).map((each) => html`<div>${componentLink(each, around)}</div>`)}</div>`)}</li>`
}

const freeView = (connect: string | undefined, name: string): Content =>
  connect === undefined
    ? html`<div class="muted">${translate('Free')}</div>`
    : html`<a class="take" href="${connect}" aria-label="${translate('Connect {name}', { name })}">${translate('Connect')}</a>`

function takenView(port: JsonObject, around: DisplayOptions): Content {
  const { cable } = port
  const peers = objectsIn(port.link_peers)
  if (!isJsonObject(cable))
    return html`<div class="muted">${translate('Marked as connected')}</div>`
  const color =
    typeof cable.color === 'string' &&
    /^[0-9a-f]{6}$/i.test(cable.color) &&
    colorDisplay(cable.color)
  return html`<div class="peer">${peers.map((each) => html`<div>${componentLink(each, around)}</div>`)}<small>${color}${linkToObject({ ...cable, color: null, display: String(cable.label || `#${cable.id}`) }, around)}</small></div>`
}
