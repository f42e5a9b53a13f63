import type { ApiRequest } from '../../api/api-request.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
import { lastValue } from '../../read/query/last-value.ts'
import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import { takeNetwork } from '../../schema/net/free-space.ts'
import {
  formatInterface,
  formatIp,
  type Interface,
  lastOf,
  parseInterface,
  parseIp,
  widthOf,
} from '../../schema/net/ip.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import { panel } from '../components/panel.ts'
import { type Utilization, utilizationMeter } from '../components/utilization-bar.ts'
import { visibleObjects } from '../data/page-objects.ts'
import type { ObjectPart, PartContent } from '../frame/object-content.ts'
import { type Content, html } from '../html.ts'
import { numeral, translate } from '../texts/translate.ts'
import { addressModels, vrfsWithin } from './address-models.ts'
import { addressGrid, addressLink, addressTable, type ShownSpace } from './address-rows.ts'
import { addressWindow } from './address-window.ts'
import { assignableSize, coverage, type PrefixTree, prefixTree, type VrfChoice } from './prefix-tree.ts'
import { addressUsage } from './prefix-usage.ts'
import { freeLink, inheritedBy, spaceMap, spaceTable } from './space-rows.ts'
import { prefixCanRunOut } from './utilization-columns.ts'

const STYLES = ['inputs.css', 'addresses.css'] as const
/** Addresses and ranges of one window. */
const WINDOW = 100
/** Largest network whose addresses are all on its map. */
const MAPPED = 256n

/** The space of a prefix, an aggregate or a range: used and free parts. */
export const addressSpacePart: ObjectPart = {
  models: ['ipam.aggregate', 'ipam.iprange', 'ipam.prefix'],
  load: ({ request, object }) =>
    typeof object.prefix === 'string' ? networkPart(request, object, object.prefix) : rangePart(request, object),
}

async function networkPart(request: ApiRequest, object: JsonObject, text: string): Promise<PartContent> {
  const network = parseInterface(text)
  if (!network) return {}
  // An aggregate has no VRF.
  const isPrefix = 'vrf' in object
  const ownVrf = isJsonObject(object.vrf) ? Number(object.vrf.id) : null
  const choice = vrfChoice(request, isPrefix ? ownVrf : undefined)
  const vrf = choice ?? null
  const [tree, switcher] = await Promise.all([
    prefixTree(request, { ...network, text }, choice, !isPrefix),
    vrfSwitch(request, text, choice),
  ])
  const isLeaf = tree.nodes.length === 0
  const inherited = inheritedBy(object, vrf)
  const space: ShownSpace = { family: network.family, length: network.length, inherited }
  const [usage, table, addresses] = await Promise.all([
    utilizationOf(request, object, network, tree, isPrefix),
    spaceTable(request, tree, inherited, translate('Prefixes and free space')),
    isLeaf && isPrefix ? addressesPanel(request, space, choice, assignable(network, object)) : undefined,
  ])
  const forms = isPrefix ? allocationForms(request, object, tree.free, space) : undefined
  return {
    left: html`${panel(translate('Utilization'), utilizationMeter(usage))}${forms}`,
    isWide: true,
    right: html`${!isLeaf && panel(translate('Map'), spaceMap(request, network, tree, freeLink(request, inherited)))}${addresses}`,
    below:
      addresses === undefined &&
      panel(
        translate('Prefixes and free space'),
        html`${switcher}${tree.isCut && html`<p class="notice">${translate('Only the first {count} prefixes are listed. Open a prefix to see the prefixes within it.', { count: 1000 })}</p>`}${tree.hasDeeper && html`<p class="notice">${translate('Only the upper levels are listed. Open a prefix to see the prefixes within it.')}</p>`}${table}`,
      ),
    styles: STYLES,
    scripts: ['space-table.client.ts', 'allocate.client.ts'],
  }
}

/** The space of a prefix without controls: what is in use, and a map of the prefixes or addresses within it. */
export async function prefixPicture(request: ApiRequest, object: JsonObject): Promise<Content> {
  const text = String(object.prefix)
  const network = parseInterface(text)
  if (!network) return undefined
  const vrf = isJsonObject(object.vrf) ? Number(object.vrf.id) : null
  const tree = await prefixTree(request, { ...network, text }, vrf)
  const usage = await utilizationOf(request, object, network, tree, true)
  const { family } = network
  const { first, last } = assignable(network, object)
  const isGrid = tree.nodes.length === 0 && family === 4 && last - first < MAPPED
  const window = isGrid && (await addressWindow(request, { first, last, family, vrf, limit: 2 * Number(MAPPED) }))
  return html`${utilizationMeter(usage)}${
    window ? addressGrid(request, window, noLink) : tree.nodes.length > 0 && spaceMap(request, network, tree, noLink)
  }`
}

/** For pictures, in which nothing is allocated. */
const noLink = (): undefined => undefined

/** The VRF in the page's URL: an id, `null` or `all`. */
function vrfChoice({ search }: ApiRequest, otherwise: VrfChoice): VrfChoice {
  const text = lastValue(search, 'vrf')
  if (text === 'all') return undefined
  if (text === 'null') return null
  return text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : otherwise
}

/** Links to the other VRFs with prefixes within this one, if the sender may view them. */
async function vrfSwitch(request: ApiRequest, prefix: string, current: VrfChoice): Promise<Content> {
  const { registry } = request.service
  const ids = await vrfsWithin(request.service, prefix)
  const { vrf: model } = addressModels(registry)
  const vrfs = await visibleObjects(
    request,
    model,
    ids.filter((id) => id !== 0),
    ['id', 'display'],
  )
  const named = [...vrfs.values()].map((vrf) => [Number(vrf.id), String(vrf.display)] as const)
  const choices: (readonly [VrfChoice, string])[] = [
    [null, translate('Global table')],
    ...named,
    [undefined, translate('All')],
  ]
  if (named.length === 0) return undefined
  return html`<nav class="vrf-switch" aria-label="VRF">VRF: ${choices.map(
    ([vrf, label]) =>
      html`<a href="?vrf=${vrf === undefined ? 'all' : String(vrf)}"${vrf === current && html` aria-current="true"`}>${label}</a> `,
  )}</nav>`
}

async function utilizationOf(
  { service }: ApiRequest,
  object: JsonObject,
  network: Interface,
  { nodes }: PrefixTree,
  isPrefix: boolean,
): Promise<Utilization> {
  const label = translate('Addresses')
  if (object.mark_utilized === true) return { label, share: 1, text: translate('marked as utilized'), canRunOut: false }
  const status = isJsonObject(object.status) ? object.status.value : undefined
  if (!isPrefix || status === 'container') {
    const share = coverage(network, distinct(nodes.map((node) => node.network)))
    return {
      label: translate('Prefixes'),
      share,
      text: translate('in {count} prefix|in {count} prefixes', { count: nodes.length }),
      canRunOut: false,
    }
  }
  const size = assignableSize(network, object.is_pool === true)
  // Network and broadcast addresses can be stored too.
  const stored = (await addressUsage(service, [Number(object.id)])).get(Number(object.id)) ?? 0
  const used = Math.min(stored, Number(size))
  const text = size > 1n << 53n ? numeral(used) : translate('{range} of {total}', { range: used, total: Number(size) })
  return { label, share: used / Number(size), text, canRunOut: prefixCanRunOut(object) }
}

/** Each network once: prefixes of several VRFs may be the same. */
const distinct = (networks: readonly Interface[]): readonly Interface[] => [
  ...new Map(networks.map((network) => [`${network.value}/${network.length}`, network])).values(),
]

/** First and last address of a network that can be assigned. */
function assignable(network: Interface, { is_pool: isPool }: JsonObject) {
  const [first, last] = [network.value, lastOf(network).value]
  if (isPool === true || network.length >= (network.family === 4 ? 31 : 127)) return { first, last }
  return { first: first + 1n, last: network.family === 4 ? last - 1n : last }
}

async function addressesPanel(
  request: ApiRequest,
  space: ShownSpace,
  vrf: VrfChoice,
  { first, last }: { readonly first: bigint; readonly last: bigint },
): Promise<Content> {
  const from = parseIp(lastValue(request.search, 'from') ?? '')
  const isInside = from?.family === space.family && from.value > first && from.value <= last
  const start = isInside ? from.value : first
  const isSmall = space.family === 4 && last - first < MAPPED
  const limit = isSmall ? 2 * Number(MAPPED) : WINDOW
  const { family } = space
  const window = await addressWindow(request, { first: start, last, family, vrf, limit })
  const grid = isSmall && !isInside && addressGrid(request, window, addressLink(request, space))
  const table = await addressTable(request, window, space)
  const more = new URLSearchParams(request.search)
  if (window.next !== undefined) more.set('from', formatIp({ family, value: window.next }))
  return panel(
    translate('Addresses'),
    html`<form class="jump" method="get"><label>${translate('From')} <input name="from" value="${isInside ? formatIp(from) : ''}" placeholder="${formatIp({ family, value: first })}"></label><button>${translate('Show')}</button></form>${grid}${table}${window.next !== undefined && html`<p><a href="?${more.toString()}">${translate('From {address}', { address: formatIp({ family, value: window.next }) })}</a></p>`}`,
  )
}

async function rangePart(request: ApiRequest, object: JsonObject): Promise<PartContent> {
  const start = parseInterface(String(object.start_address))
  const end = parseInterface(String(object.end_address))
  if (!start || !end) return {}
  const vrf = isJsonObject(object.vrf) ? Number(object.vrf.id) : null
  const space: ShownSpace = { family: start.family, length: start.length, inherited: inheritedBy(object, vrf) }
  return {
    isWide: true,
    right: await addressesPanel(request, space, vrf, {
      first: start.value,
      last: end.value,
    }),
    styles: STYLES,
  }
}

/** Number of lengths that are offered beyond that of the prefix. */
const LENGTHS = 16

/**
 * Forms that allocate the next free prefix of a length. Without scripts they lead to the form for a prefix; with them
 * the API allocates it at once.
 */
function allocationForms(
  { actor, service, url }: ApiRequest,
  object: JsonObject,
  free: readonly Interface[],
  { family, length, inherited }: ShownSpace,
): Content {
  const { settings, registry } = service
  const { prefix } = addressModels(registry)
  if (!mayAct(actor, 'add', prefix, settings)) return undefined
  const id = Number(object.id)
  const last = Math.min(length + LENGTHS, widthOf(family))
  const offers = Array.from({ length: last - length }, (_, index) => length + 1 + index).flatMap(
    (bits) => takeNetwork(free, bits)?.network ?? [],
  )
  if (offers.length === 0) return undefined
  const usual = offers.find((offer) => offer.length === (family === 4 ? 26 : 64)) ?? offers[0]
  return panel(
    translate('Next free prefix'),
    html`<form class="allocate" method="get" action="${settings.basePath}${pagePathOf(prefix)}add/" data-island="allocate" data-allocate="/api/${prefix.path}/${id}/available-prefixes/">
${[...inherited].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}<input type="hidden" name="return_url" value="${url.pathname}">
<label>${translate('Size')} <select name="prefix">${offers.map((network) => html`<option value="${formatInterface(network)}" data-length="${network.length}"${network === usual && html` selected`}>/${network.length} · ${formatInterface(network)}</option>`)}</select></label>
<div class="buttons"><button class="quiet">${translate('Allocate with details…')}</button></div>
<p class="allocate-status" role="status"></p></form>`,
  )
}
