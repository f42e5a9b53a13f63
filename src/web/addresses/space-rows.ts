import type { ApiRequest } from '../../api/api-request.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'
import { formatInterface, type Interface } from '../../schema/net/ip.ts'
import { networkRectangle } from '../../schema/net/network-rectangle.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import { percent, utilizationBar } from '../components/utilization-bar.ts'
import { valueDisplay } from '../components/value.ts'
import { displayOptionsOf } from '../data/display-options.ts'
import { visibleObjects } from '../data/page-objects.ts'
import { type Content, type Html, html } from '../html.ts'
import { numeral, translate, translateLabel } from '../texts/translate.ts'
import { addressModels } from './address-models.ts'
import { type PrefixNode, type PrefixTree, sizeOf } from './prefix-tree.ts'

/**
 * Prefixes at all levels in order, each followed by those within it, with the free space between them. A script folds the
 * levels.
 */
export async function spaceTable(
  request: ApiRequest,
  tree: PrefixTree,
  inherited: Inherited,
  label: string,
): Promise<Html> {
  const { service } = request
  const { prefix: model } = addressModels(service.registry)
  const objects = await visibleObjects(request, model, idsOf(tree.nodes), [...['id', 'status', 'role', 'description']])
  const options = await displayOptionsOf(request, [...objects.values()])
  const page = `${service.settings.basePath}${pagePathOf(model)}`
  const free = freeLink(request, inherited)
  const prefixRow = (node: PrefixNode, depth: number, isParent: boolean): Html => {
    const object = objects.get(node.id)
    const value = (name: string): Content => valueDisplay(model.fields.get(name), object?.[name], options)
    const name = formatInterface(node.network)
    return html`<tr data-depth="${depth}" data-parent="${String(isParent)}"><th scope="row" class="depth-${Math.min(depth, MOST_INDENTED)}"><a href="${page}${node.id}/">${name}</a></th><td>${value('status')}</td><td>${value('role')}</td><td>${utilizationBar({ label: translate('Utilization of {name}', { name }), share: node.used, text: '', canRunOut: node.canRunOut })}</td><td class="num">${addresses(sizeOf(node.network))}</td><td>${value('description')}</td></tr>`
  }
  const rowsOf = (nodes: readonly PrefixNode[], space: readonly Interface[], depth: number): readonly Html[] => {
    const prefixes = nodes.map((node) => ({ node, network: node.network }))
    const all = [...prefixes, ...space.map((network) => ({ node: undefined, network }))].sort(
      ({ network: { value: a } }, { network: { value: b } }) => (a < b ? -1 : a > b ? 1 : 0),
    )
    return all.flatMap(({ node, network }): readonly Html[] => {
      if (!node) return [freeRow(network, depth, free(network))]
      const inner = rowsOf(node.children, node.free, depth + 1)
      return node.isVisible ? [prefixRow(node, depth, inner.length > 0), ...inner] : inner
    })
  }
  const rows = rowsOf(tree.nodes, tree.free, 0)
  return html`<div class="scroll objects-table" tabindex="0" role="region" aria-label="${label}"><table class="space-table" data-island="space-table"><thead><tr><th scope="col">${translateLabel('Prefix')}</th><th scope="col">${translateLabel('Status')}</th><th scope="col">${translateLabel('Role')}</th><th scope="col">${translate('Utilization')}</th><th scope="col" class="num">${translate('Addresses')}</th><th scope="col">${translate('Description')}</th></tr></thead><tbody>${rows}</tbody></table></div>`
}

const MOST_INDENTED = 8

/** Free space, with the link to the form that allocates it. */
function freeRow(network: Interface, depth: number, href: string | undefined): Html {
  const name = formatInterface(network)
  return html`<tr class="free-space" data-depth="${depth}"><th scope="row" class="depth-${Math.min(depth, MOST_INDENTED)}">${name}</th><td colspan="2">${translate('Free')}</td><td>${href !== undefined && html`<a class="button quiet small" href="${href}" aria-label="${translate('Use {name}', { name })}">${translate('Use')}</a>`}</td><td class="num">${addresses(sizeOf(network))}</td><td></td></tr>`
}

const idsOf = (nodes: readonly PrefixNode[]): readonly number[] =>
  nodes.flatMap((node) => [...(node.isVisible ? [node.id] : []), ...idsOf(node.children)])

/** Values by name, as texts of a form. */
export type Inherited = ReadonlyMap<string, string>

/** Values that a new prefix shares with the object around it. */
export function inheritedBy(
  { tenant, role, scope_type: scopeType, scope_id: scopeId }: JsonObject,
  vrf: number | null,
): Inherited {
  const idOf = (value: Json | undefined): Json | undefined => (isJsonObject(value) ? value.id : undefined)
  const values = Object.entries({
    ...{ vrf, tenant: idOf(tenant), role: idOf(role) },
    ...(scopeId != null && { scope_type: scopeType, scope_id: scopeId }),
  })
  return new Map(values.flatMap(([name, value]) => (value == null ? [] : [[name, String(value)]])))
}

/** The URL of the form for a prefix of free space; undefined without a link. */
type FreeLink = (network: Interface) => string | undefined

/** Makes links to the form for a prefix of free space; none if the sender may not add prefixes. */
export function freeLink({ actor, service, url }: ApiRequest, inherited: Inherited): FreeLink {
  const { prefix } = addressModels(service.registry)
  if (!mayAct(actor, 'add', prefix, service.settings)) return () => undefined
  return (network) => {
    const query = new URLSearchParams({
      prefix: formatInterface(network),
      ...Object.fromEntries(inherited),
      return_url: `${url.pathname}${url.search}`,
    })
    return `${service.settings.basePath}${pagePathOf(prefix)}add/?${query}`
  }
}

/** The address space as blocks: the first level of prefixes, and free space. */
export function spaceMap({ service }: ApiRequest, whole: Interface, { nodes, free }: PrefixTree, link: FreeLink): Html {
  const { settings, registry } = service
  const page = `${settings.basePath}${pagePathOf(addressModels(registry).prefix)}`
  return networkMap(whole, [
    ...free.map((network) => ({ network, used: undefined, href: link(network) })),
    ...nodes
      .filter(({ isVisible }) => isVisible)
      .map(({ id, network, used }) => ({ network, used, href: `${page}${id}/` })),
  ])
}

/** A part of an address space. */
export interface NetworkBlock {
  readonly network: Interface
  /** Share in use; undefined for free space. */
  readonly used: number | undefined
  readonly href?: string | undefined
}

/** Networks within a larger one as blocks whose area is proportional to the number of addresses. */
export function networkMap(whole: Interface, blocks: readonly NetworkBlock[], height: number = SPACE_MAP.height): Html {
  const map = { ...SPACE_MAP, height }
  const name = translate('Address space of {prefix}', { prefix: formatInterface(whole) })
  const rectangles = blocks.map(({ network, used, href }) => {
    const label = formatInterface(network)
    const title =
      used === undefined
        ? translate('{network}: {count} addresses free', { network: label, count: addresses(sizeOf(network)) })
        : translate('{network}: {share} in use', { network: label, share: percent(used) })
    return blockRectangle({ ...networkRectangle(whole, network, map), label, title, used, href })
  })
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${name}"><svg class="space-map" viewBox="-1 -1 ${map.width + 2} ${map.height + 2}" role="group" aria-label="${name}">${rectangles}</svg></div>
<p class="muted space-legend"><span><span class="key used"></span> ${translate('in use')}</span> <span><span class="key held"></span> ${translate('a prefix with free addresses')}</span> <span><span class="key"></span> ${translate('free')}</span></p>`
}

/** A number of addresses, as a power of two if it has too many digits to read. */
export function addresses(size: bigint): string {
  if (size <= 1n << 32n) return numeral(Number(size))
  const exponent = size.toString(2).length - 1
  return size === 1n << BigInt(exponent) ? `2^${exponent}` : `> 2^${exponent}`
}

/** A block of the map of an address space. */
interface MapBlock {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly label: string
  /** Tooltip of the block. */
  readonly title: string
  /** Share in use; undefined for free space. */
  readonly used: number | undefined
  readonly href: string | undefined
}

/** Width and height of the map, in pixels if it is not scaled. */
const SPACE_MAP = { x: 0, y: 0, width: 1024, height: 256 } as const

const blockRectangle = ({ label, title, href, used, ...box }: MapBlock): Html => {
  const size = html`x="${box.x}" y="${box.y}" width="${Math.max(box.width - 1, 0.5)}" height="${Math.max(box.height - 1, 0.5)}"`
  const isFree = used === undefined
  const filled =
    !isFree &&
    used > 0 &&
    html`<rect class="used" x="${box.x}" y="${box.y + (box.height - 1) * (1 - used)}" width="${Math.max(box.width - 1, 0.5)}" height="${Math.max((box.height - 1) * used, 0.5)}"/>`
  const text =
    box.width > label.length * 7.2 &&
    box.height > 15 &&
    html`<text x="${box.x + box.width / 2}" y="${box.y + Math.min(box.height / 2 + 4, 16)}" text-anchor="middle">${label}</text>`
  const content = html`<title>${title}</title><rect class="${isFree ? 'free' : 'held'}" ${size}/>${filled}${text}`
  // Blocks too small to click are not tab stops: the table has them too.
  const isSmall = box.width < 12 || box.height < 12
  return href === undefined
    ? html`<g>${content}</g>`
    : html`<a href="${href}" aria-label="${title}"${isSmall && html` tabindex="-1"`}>${content}</a>`
}
