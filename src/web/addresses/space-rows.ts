import type { ApiRequest } from '../../api/api-request.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
import type { JsonObject } from '../../schema/json.ts'
import { formatInterface, type Interface } from '../../schema/net/ip.ts'
import { networkRectangle } from '../../schema/net/network-rectangle.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import { type Content, type Html, html } from '../components/html.ts'
import { percent, utilizationBar } from '../components/utilization-bar.ts'
import { valueDisplay } from '../components/value.ts'
import { displayOptionsOf } from '../frame/display-options.ts'
import { visibleObjects } from '../lists/visible-objects.ts'
import { numeral, translate, translateLabel } from '../texts/translate.ts'
import { addressModels } from './address-models.ts'
import { type PrefixNode, type PrefixTree, sizeOf } from './prefix-tree.ts'

/** Rows of a table: prefixes in order, each followed by those within it, with the free space between them. */
export async function spaceRows(
  request: ApiRequest,
  tree: PrefixTree,
  vrf: number | null,
): Promise<readonly SpaceRow[]> {
  const { service } = request
  const { prefix: model } = addressModels(service.registry)
  const objects = await visibleObjects(request, model, idsOf(tree.nodes), [
    ...['id', 'status', 'role', 'description'],
  ])
  const around = await displayOptionsOf(request, [...objects.values()])
  const page = `${service.settings.basePath}${pagePathOf(model)}`
  const free = freeLink(request, vrf)
  const value = (object: JsonObject | undefined, name: string) =>
    valueDisplay(model.fields.get(name), object?.[name], around)
  const rowsOf = (
    nodes: readonly PrefixNode[],
    space: readonly Interface[],
    depth: number,
  ): readonly SpaceRow[] => {
    const own = nodes.map((node) => ({ first: node.network.value, node, network: node.network }))
    const between = space.map((network) => ({ first: network.value, node: undefined, network }))
    const all = [...own, ...between].sort((a, b) =>
      a.first < b.first ? -1 : a.first > b.first ? 1 : 0,
    )
    return all.flatMap(({ node, network }): readonly SpaceRow[] => {
      const text = formatInterface(network)
      const size = sizeOf(network)
      if (!node) return [{ depth, prefix: text, size, href: free(network) }]
      const inner = rowsOf(node.children, node.free, depth + 1)
      if (!node.isVisible) return inner
      const object = objects.get(node.id)
      const row = {
        ...{ depth, prefix: text, size, href: `${page}${node.id}/` },
        object: {
          hasChildren: inner.length > 0,
          used: node.used,
          status: value(object, 'status'),
          role: value(object, 'role'),
          description: value(object, 'description'),
        },
      }
      return [row, ...inner]
    })
  }
  return rowsOf(tree.nodes, tree.free, 0)
}

const idsOf = (nodes: readonly PrefixNode[]): readonly number[] =>
  nodes.flatMap((node) => [...(node.isVisible ? [node.id] : []), ...idsOf(node.children)])

/** Makes links to the form for a prefix of free space; undefined where the sender may not add prefixes. */
function freeLink(
  { actor, service, url }: ApiRequest,
  vrf: number | null,
): (network: Interface) => string | undefined {
  const { prefix } = addressModels(service.registry)
  if (!mayAct(actor, 'add', prefix, service.settings)) return () => undefined
  return (network) => {
    const query = new URLSearchParams({
      prefix: formatInterface(network),
      ...(vrf !== null && { vrf: String(vrf) }),
      return_url: `${url.pathname}${url.search}`,
    })
    return `${service.settings.basePath}${pagePathOf(prefix)}add/?${query}`
  }
}

/** Blocks of a map: the first level of prefixes, and the free space. */
export function spaceBlocks(
  request: ApiRequest,
  whole: Interface,
  { nodes, free }: PrefixTree,
  vrf: number | null,
): readonly MapBlock[] {
  const { settings, registry } = request.service
  const page = `${settings.basePath}${pagePathOf(addressModels(registry).prefix)}`
  const link = freeLink(request, vrf)
  const place = (network: Interface) => networkRectangle(whole, network, SPACE_MAP)
  return [
    ...free.map((network): MapBlock => {
      const label = formatInterface(network)
      const title = translate('{network}: {count} addresses free', {
        network: label,
        count: addresses(sizeOf(network)),
      })
      return { ...place(network), label, title, used: undefined, href: link(network) }
    }),
    ...nodes
      .filter(({ isVisible }) => isVisible)
      .map(({ id, network, used }): MapBlock => {
        const label = formatInterface(network)
        const title = translate('{network}: {share} in use', {
          network: label,
          share: percent(used),
        })
        return { ...place(network), label, title, used, href: `${page}${id}/` }
      }),
  ]
}

/** A row of the table of an address space: a prefix, or free space. */
interface SpaceRow {
  /** 0 for the first level. */
  readonly depth: number
  readonly prefix: string
  /** Number of addresses. */
  readonly size: bigint
  /** Address of the prefix's page, or of the form that takes the free space; undefined: no link. */
  readonly href: string | undefined
  /** Absent for free space. */
  readonly object?: {
    readonly hasChildren: boolean
    readonly used: number
    /** Status, role and description. */
    readonly status: Content
    readonly role: Content
    readonly description: Content
  }
}

/** Prefixes at all levels with the free space between them. A script folds the levels. */
export const spaceTable = (rows: readonly SpaceRow[], label: string): Html =>
  html`<div class="scroll" tabindex="0" role="region" aria-label="${label}"><table class="objects-table space-table" data-island="space-table"><thead><tr><th scope="col">${translateLabel('Prefix')}</th><th scope="col">${translateLabel('Status')}</th><th scope="col">${translateLabel('Role')}</th><th scope="col">${translate('Utilization')}</th><th scope="col" class="number">${translate('Addresses')}</th><th scope="col">${translate('Description')}</th></tr></thead><tbody>${rows.map(tableRow)}</tbody></table></div>`

const tableRow = (row: SpaceRow): Html => {
  const { depth, prefix, size, href, object } = row
  const level = Math.min(depth, MOST_INDENTED)
  if (!object) {
    return html`<tr class="free-space" data-depth="${depth}"><th scope="row" class="depth-${level}">${prefix}</th><td colspan="2">${translate('Free')}</td><td>${href !== undefined && html`<a class="button quiet small" href="${href}" aria-label="${translate('Take {name}', { name: prefix })}">${translate('Take')}</a>`}</td><td class="number">${addresses(size)}</td><td></td></tr>`
  }
  const name = href === undefined ? prefix : html`<a href="${href}">${prefix}</a>`
  return html`<tr data-depth="${depth}" data-parent="${String(object.hasChildren)}"><th scope="row" class="depth-${level}">${name}</th><td>${object.status}</td><td>${object.role}</td><td>${utilizationBar({ label: translate('Utilization of {name}', { name: prefix }), share: object.used, text: '' })}</td><td class="number">${addresses(size)}</td><td>${object.description}</td></tr>`
}

const MOST_INDENTED = 8

/** A number of addresses: powers of two where it has too many digits to read. */
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
  /** Text that a pointer at the block shows. */
  readonly title: string
  /** Share in use; undefined for free space. */
  readonly used: number | undefined
  readonly href: string | undefined
}

/** Width and height of the map, in pixels where it is not scaled. */
const SPACE_MAP = { x: 0, y: 0, width: 1024, height: 256 } as const

/** The address space as blocks whose area is proportional to the number of addresses. */
export const spaceMap = (blocks: readonly MapBlock[], label: string): Html =>
  html`<div class="scroll" tabindex="0" role="region" aria-label="${label}"><svg class="space-map" viewBox="-1 -1 ${SPACE_MAP.width + 2} ${SPACE_MAP.height + 2}" role="group" aria-label="${label}">${blocks.map(blockRectangle)}</svg></div>
<p class="muted space-legend"><span class="key used"></span> ${translate('in use')} <span class="key held"></span> ${translate('a prefix with free addresses')} <span class="key"></span> ${translate('free')}</p>`

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
  // Blocks that cannot be hit are no steps for the keyboard: the table has them too.
  const isSmall = box.width < 12 || box.height < 12
  return href === undefined
    ? html`<g>${content}</g>`
    : html`<a href="${href}" aria-label="${title}"${isSmall && html` tabindex="-1"`}>${content}</a>`
}
