import type { ApiRequest } from '../../api/api-request.ts'
import { nominalSpeed } from '../../models/dcim/interface-kind.ts'
import { lastValue } from '../../read/query/last-value.ts'
import { isJsonObject, type JsonObject, objectsIn } from '../../schema/json.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import { speedText } from '../components/value.ts'
import type { FilteredList } from '../data/count-lists.ts'
import { readList, visibleIds } from '../data/page-objects.ts'
import { type Content, type Html, html } from '../html.ts'
import { changedQuery } from '../lists/list-query.ts'
import { numeral, translate, translateLabel } from '../texts/translate.ts'
import { CABLING_MODELS } from './cabling-models.ts'
import { CONNECT_FIELDS, connectAddress } from './connect-link.ts'
import { portLink } from './port-face.ts'
import { drawnPorts } from './port-slots.ts'
import { withVisibleEnds } from './visible-ends.ts'

/** Maximum number of ports that are drawn; the table below lists all. */
const MOST = 400
/** Maximum number of far ends and of tagged VLANs in the text of a port. */
const MOST_NAMED = 6

/** Parameter of the page that chooses what the colours show. */
export const COLOUR = 'colour'

const FIELDS = [
  ...CONNECT_FIELDS,
  ...['name', 'device', 'module', 'enabled', 'speed', 'mode', 'untagged_vlan', 'tagged_vlans', 'wireless_link'],
  ...['link_peers', 'connected_endpoints', 'connected_endpoints_reachable'],
]

/** What a colour stands for: its entry in the legend. */
interface Meaning {
  readonly label: string
  readonly classes: string
  /** Position in the legend. */
  readonly order: number
}

/**
 * The front of the device with the physical interfaces of a list: its ports by module, as they are placed on a switch. Each
 * names its far end, and leads to the form that connects it if it is free, otherwise to its page. Undefined for lists
 * of other models, and without ports.
 */
export async function deviceFront(request: ApiRequest, { model, query }: FilteredList): Promise<Content> {
  if (model.name !== CABLING_MODELS.interface) return undefined
  const physical = new URLSearchParams([...query, ['kind', 'physical'], ['limit', String(MOST)]])
  const { count, objects } = await readList(request, model, { query: physical, paths: ['id', 'display', ...FIELDS] })
  if (objects.length === 0) return undefined
  const ports = await withVisibleReferences(request, await withVisibleEnds(request, objects))
  const page = `${request.service.settings.basePath}${pagePathOf(model)}`
  const colour = COLOURS.find(({ name }) => name === lastValue(request.search, COLOUR)) ?? COLOURS[0]
  const draw = (port: JsonObject, short: string): Html =>
    portLink({
      short,
      name: String(port.name),
      classes: classesOf(port, colour),
      href: connectAddress(request, model, port) ?? `${page}${Number(port.id)}/`,
      text: wordsAbout(port).join(', '),
    })
  const groups = groupsOf(ports)
  return html`<section class="card front"><h2>${translate('Ports')} <small class="muted">${numeral(count)}</small></h2>
${colourLinks(request.search, colour)}${legend(ports, colour)}
<div class="front-groups">${groups.map((group) => html`<div class="front-group">${groups.length > 1 && html`<h3>${group.title}</h3>`}${drawnPorts(group.ports, nameOf, draw)}</div>`)}</div>
${count > ports.length && html`<p class="muted">${translate('Only the first {count} ports are drawn; the table lists all.', { count: ports.length })}</p>`}</section>`
}

/** The ports without the modules and VLANs that the sender may not view. */
async function withVisibleReferences(
  request: ApiRequest,
  ports: readonly JsonObject[],
): Promise<readonly JsonObject[]> {
  const { registry } = request.service
  const visibleAmong = async (name: string, objects: readonly unknown[]): Promise<(value: unknown) => boolean> => {
    const ids = new Set(objects.flatMap((object) => (isJsonObject(object) ? [Number(object.id)] : [])))
    const visible = new Set(await visibleIds(request, registry.model(name), [...ids]))
    return (value) => isJsonObject(value) && visible.has(Number(value.id))
  }
  const [isModule, isVlan] = await Promise.all([
    visibleAmong(
      'dcim.module',
      ports.map(({ module }) => module),
    ),
    visibleAmong(
      'ipam.vlan',
      ports.flatMap(({ untagged_vlan, tagged_vlans }) => [untagged_vlan, ...objectsIn(tagged_vlans)]),
    ),
  ])
  return ports.map((port) => ({
    ...port,
    module: isModule(port.module) ? (port.module ?? null) : null,
    untagged_vlan: isVlan(port.untagged_vlan) ? (port.untagged_vlan ?? null) : null,
    tagged_vlans: objectsIn(port.tagged_vlans).filter(isVlan),
  }))
}

/** Ports of a device or of one of its modules. */
interface Group {
  readonly title: string
  readonly ports: readonly JsonObject[]
}

/** In the order of the ports; the ports of a device itself come before those of its modules. */
function groupsOf(ports: readonly JsonObject[]): readonly Group[] {
  const idOf = (value: unknown): number => (isJsonObject(value) ? Number(value.id) : 0)
  const devices = [...Map.groupBy(ports, ({ device }) => idOf(device)).values()]
  return devices.flatMap((all) => {
    const modules = [...Map.groupBy(all, ({ module }) => idOf(module))]
    return modules
      .toSorted(([a], [b]) => Number(a !== 0) - Number(b !== 0))
      .map(([, list]) => ({ title: titleOf(list[0], devices.length > 1), ports: list }))
  })
}

const nameOf = ({ name }: JsonObject): string => String(name)

function titleOf(port: JsonObject | undefined, isShared: boolean): string {
  const [device, module] = [port?.device, port?.module].map((holder) => isJsonObject(holder) && String(holder.display))
  return [(isShared || !module) && device, module].filter((part) => part !== false).join(' · ')
}

// State

const STATE_ORDER = { connected: 0, planned: 1, open: 2, marked: 3, free: 4, disabled: 5 }

function stateOf(port: JsonObject): Meaning {
  const isTaken = isLinked(port) || port.mark_connected === true
  if (port.enabled === false) {
    return {
      label: translate('Disabled'),
      classes: isTaken ? 'disabled' : 'disabled free',
      order: STATE_ORDER.disabled,
    }
  }
  if (!isTaken) return { label: translate('Free'), classes: 'free', order: STATE_ORDER.free }
  if (!isLinked(port)) {
    return { label: translate('Marked as connected'), classes: 'marked', order: STATE_ORDER.marked }
  }
  if (port.connected_endpoints === null) {
    return { label: translate('Open end'), classes: 'open', order: STATE_ORDER.open }
  }
  return port.connected_endpoints_reachable === false
    ? { label: translate('Not connected end to end'), classes: 'planned', order: STATE_ORDER.planned }
    : { label: translate('Connected'), classes: '', order: STATE_ORDER.connected }
}

const isLinked = (port: JsonObject): boolean => isJsonObject(port.cable) || isJsonObject(port.wireless_link)

// VLAN

const isTagged = ({ mode }: JsonObject): boolean => isJsonObject(mode) && String(mode.value).startsWith('tagged')

const LAST = Number.MAX_SAFE_INTEGER

function vlanOf({ untagged_vlan: vlan }: JsonObject): Meaning {
  if (!isJsonObject(vlan)) return { label: translate('No untagged VLAN'), classes: 'no-hue', order: LAST }
  const vid = Number(vlan.vid)
  // Multiples of the golden ratio are far apart, so that neighbouring VLANs differ.
  const hue = Math.floor(((vid * 0.618034) % 1) * HUES)
  return { label: vlanLabel(vlan), classes: `hue-${hue}`, order: vid }
}

const vlanLabel = ({ vid, name }: JsonObject): string => `VLAN ${vid} (${name})`

/** Number of the classes with a hue. */
const HUES = 24

// Speed

/** Class of the highest speed in Mbps that is reached. */
const SPEED_HUES: readonly (readonly [number, number])[] = [
  [800_000, 0],
  [400_000, 22],
  [200_000, 21],
  [100_000, 20],
  [50_000, 5],
  [40_000, 6],
  [25_000, 7],
  [10_000, 10],
  [2500, 13],
  [1000, 16],
  [0, 4],
]

function typeOf({ type }: JsonObject): { readonly value: string; readonly label: string } {
  return isJsonObject(type) ? { value: String(type.value), label: String(type.label) } : { value: '', label: '' }
}

function speedOf(port: JsonObject): Meaning {
  const { value, label } = typeOf(port)
  const kbps = typeof port.speed === 'number' ? port.speed : nominalSpeed(value, label)
  if (kbps === undefined) return { label: translate('Unknown speed'), classes: 'no-hue', order: LAST }
  const hue = SPEED_HUES.find(([least]) => kbps >= least * 1000)?.[1] ?? 0
  return { label: speedText(kbps), classes: `hue-${hue}`, order: -kbps }
}

/** What the colours can show; the first one unless the address names another. */
const COLOURS = [
  { name: 'state', label: () => translate('State'), of: stateOf },
  { name: 'vlan', label: () => translateLabel('VLAN'), of: vlanOf },
  { name: 'speed', label: () => translate('Speed'), of: speedOf },
] as const

type Colour = (typeof COLOURS)[number]

/** Types of ports into which a transceiver is plugged. */
const CAGES = /sfp|xfp|gbic|xenpak|x2|cfp|qsfp|osfp|cdfp|cpak/

/** The line shows the state, whatever the fill stands for; the form shows whether a transceiver is plugged in. */
const classesOf = (port: JsonObject, { name, of }: Colour): string =>
  [
    CAGES.test(typeOf(port).value) && 'cage',
    stateOf(port).classes,
    name !== 'state' && of(port).classes,
    name === 'vlan' && isTagged(port) && 'tagged',
  ]
    .filter((part) => typeof part === 'string' && part !== '')
    .join(' ')

const colourLinks = (search: URLSearchParams, current: Colour): Html =>
  html`<nav class="colour-by" aria-label="${translate('Color by')}"><span class="muted">${translate('Color by')}</span>${COLOURS.map(
    (colour) =>
      html`<a href="${changedQuery(search, { [COLOUR]: colour.name })}"${colour === current && html` aria-current="true"`}>${colour.label()}</a>`,
  )}<a class="skip" href="#list">${translate('Skip to the table')}</a></nav>`

function legend(ports: readonly JsonObject[], { name, of }: Colour): Html {
  const tagged = ports.filter(isTagged).length
  const meanings = [
    ...Map.groupBy(
      ports.map((port) => of(port)),
      ({ label }) => label,
    ).values(),
  ].flatMap(([first, ...others]) => (first ? [{ ...first, count: 1 + others.length }] : []))
  return html`<ul class="port-legend">${meanings
    .toSorted((a, b) => a.order - b.order)
    .map(
      ({ label, classes, count }) =>
        html`<li><span class="port ${classes}" aria-hidden="true"></span> ${label} <span class="muted">${numeral(count)}</span></li>`,
    )}${name === 'vlan' && tagged > 0 && html`<li><span class="port no-hue tagged" aria-hidden="true"></span> ${translate('Tagged')} <span class="muted">${numeral(tagged)}</span></li>`}</ul>`
}

/** State, far end, VLANs and speed of a port. */
function wordsAbout(port: JsonObject): readonly string[] {
  const state = stateOf(port)
  const far = [port.connected_endpoints, port.link_peers].map((ends) => objectsIn(ends)).find((ends) => ends.length > 0)
  const isConnected = state.order === STATE_ORDER.connected
  const tagged = objectsIn(port.tagged_vlans)
  const isAll = isJsonObject(port.mode) && port.mode.value === 'tagged-all'
  return [
    far && `${translate('Connected to')} ${firstNames(far.map(farName))}`,
    !(far && isConnected) && state.label,
    isJsonObject(port.untagged_vlan) && vlanLabel(port.untagged_vlan),
    isAll && translate('Tagged: all'),
    tagged.length > 0 && `${translate('Tagged:')} ${firstNames(tagged.map(({ vid }) => String(vid)))}`,
    speedOf(port).order !== LAST && speedOf(port).label,
  ].filter((words) => typeof words === 'string')
}

function firstNames(names: readonly string[]): string {
  const more = names.length - MOST_NAMED
  return `${names.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` + ${more}` : ''}`
}

/** The far end with its parent: `sw2 › Eth3`. */
function farName(end: JsonObject): string {
  const parent = [end.device, end.virtual_machine, end.circuit, end.power_panel].find((candidate) =>
    isJsonObject(candidate),
  )
  return parent ? `${parent.display} › ${end.display}` : String(end.display)
}
