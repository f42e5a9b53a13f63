import type { ApiRequest } from '../../api/api-request.ts'
import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import { componentLink, componentList } from '../components/component-link.ts'
import { panel } from '../components/panel.ts'
import { type DisplayOptions, EMPTY, linkToObject } from '../components/value.ts'
import { displayOptionsOf } from '../data/display-options.ts'
import type { ObjectTab } from '../frame/object-content.ts'
import { type Content, type Html, html } from '../html.ts'
import { listOfChildren } from '../object-parts/children.ts'
import { translate } from '../texts/translate.ts'
import { CABLING_MODELS } from './cabling-models.ts'
import { connectAddress } from './connect-link.ts'
import { farEndsOf, isOf, outletsOfDevice, type PowerSources, portsOfDevice, powerSources } from './power-chains.ts'

/** Maximum number of steps of a chain, in case sources supply each other. */
const MOST_STEPS = 24

/** What supplies the device, from its ports to the panels, and what it supplies. */
export const powerTab: ObjectTab = {
  models: [CABLING_MODELS.device],
  path: 'power',
  label: () => translate('Power'),
  list: (registry, _model, object) =>
    listOfChildren(registry, { model: CABLING_MODELS.powerPort, by: { device_id: 'id' } }, object),
  isHiddenIfEmpty: true,
  load: async ({ request, object }) => {
    const id = Number(object.id)
    const [ports, outlets] = await Promise.all([portsOfDevice(request, id), outletsOfDevice(request, id)])
    const sources = await powerSources(request, ports)
    const options = await displayOptionsOf(request, [])
    const chains = ports.map((port) => chainList(stepsFrom(request, port, sources, options)))
    const content = html`${panel(translate('Supplied by'), chains.length === 0 ? html`<p class="muted">${translate('No power ports.')}</p>` : chains)}
${outlets.length > 0 && panel(translate('Supplies'), suppliedTable(outlets, options))}`
    return { content, styles: ['cabling.css'] }
  },
}

/** The steps from a power port to the panel behind it. */
function stepsFrom(
  request: ApiRequest,
  first: JsonObject,
  { ports, outlets, feeds }: PowerSources,
  options: DisplayOptions,
): readonly ChainStep[] {
  const steps: ChainStep[] = []
  const seen = new Set<number>()
  let port: JsonObject | undefined = first
  while (port && !seen.has(Number(port.id)) && steps.length < MOST_STEPS) {
    seen.add(Number(port.id))
    steps.push({
      content: linkOf(port, port === first, options),
      about: drawOf(port),
      isInside: port !== first,
    })
    const [end]: readonly JsonObject[] = farEndsOf(port)
    if (!end) return [...steps, { content: openEnd(request, port), isOpen: true }]
    const feed = isOf(end, 'power-feeds') ? feeds.get(Number(end.id)) : undefined
    if (feed) return [...steps, ...feedSteps(feed, options)]
    const outlet: JsonObject = outlets.get(Number(end.id)) ?? end
    steps.push({ content: componentLink(outlet, options), about: legOf(outlet) })
    const inlet = outlet.power_port
    port = isJsonObject(inlet) ? ports.get(Number(inlet.id)) : undefined
  }
  return steps
}

/** A power port; the device of the first one is known from the page. */
const linkOf = (port: JsonObject, isFirst: boolean, options: DisplayOptions): Content =>
  isFirst ? linkToObject(port, options) : componentLink(port, options)

function drawOf({ maximum_draw: most, allocated_draw: allocated }: JsonObject): Content {
  if (typeof most !== 'number' && typeof allocated !== 'number') return undefined
  return `${allocated ?? '–'} / ${most ?? '–'} W`
}

const legOf = ({ feed_leg: leg }: JsonObject): Content =>
  isJsonObject(leg) && translate('Leg {name}', { name: String(leg.label) })

function feedSteps(feed: JsonObject, options: DisplayOptions): readonly ChainStep[] {
  const { voltage, amperage, phase, type, power_panel: source } = feed
  const about = [
    typeof voltage === 'number' && `${voltage} V`,
    typeof amperage === 'number' && `${amperage} A`,
    isJsonObject(phase) && String(phase.label),
    isJsonObject(type) && String(type.label),
  ].filter((part) => part !== false)
  return [
    { content: linkToObject(feed, options), about: about.join(' · ') },
    ...(isJsonObject(source)
      ? [{ content: linkToObject(source, options), about: translate('Power panel'), isInside: true }]
      : []),
  ]
}

function openEnd(request: ApiRequest, port: JsonObject): Content {
  if (port.mark_connected === true) return translate('Marked as connected')
  if (isJsonObject(port.cable)) return translate('Open end')
  const model = request.service.registry.model(CABLING_MODELS.powerPort)
  const address = connectAddress(request, model, port)
  return html`${translate('Not connected')}${address && html` <a class="button small quiet" href="${address}">${translate('Connect')}</a>`}`
}

const suppliedTable = (outlets: readonly JsonObject[], options: DisplayOptions): Content =>
  html`<div class="scroll objects-table" tabindex="0" role="region" aria-label="${translate('Supplies')}"><table><thead><tr><th scope="col">${translate('Outlet')}</th><th scope="col">${translate('Fed by')}</th><th scope="col">${translate('Connected to')}</th></tr></thead><tbody>${outlets.map(
    (outlet) =>
      html`<tr><th scope="row">${linkToObject(outlet, options)}</th><td>${isJsonObject(outlet.power_port) ? linkToObject(outlet.power_port, options) : EMPTY} ${legOf(outlet)}</td><td>${farEndsOf(outlet).length === 0 ? EMPTY : componentList(farEndsOf(outlet), options)}</td></tr>`,
  )}</tbody></table></div>`

/** An element of a power chain. */
interface ChainStep {
  readonly content: Content
  readonly about?: Content
  /** It belongs to the same device as the previous step: there is no cable between them. */
  readonly isInside?: boolean
  /** The chain ends here without a source. */
  readonly isOpen?: boolean
}

/** Elements in a row, with a line for each cable between them; in a column on narrow windows. */
const chainList = (steps: readonly ChainStep[]): Html =>
  html`<ol class="chain">${steps.map(
    ({ content, about, isInside = false, isOpen = false }) =>
      html`<li${isInside && html` class="within"`}><div class="step${isOpen && ' open'}">${content}${about !== undefined && about !== false && html`<small>${about}</small>`}</div></li>`,
  )}</ol>`
