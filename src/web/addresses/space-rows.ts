import type { ApiRequest } from '../../api/api-request.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
import type { JsonObject } from '../../schema/json.ts'
import { formatInterface, type Interface } from '../../schema/net/ip.ts'
import { networkRectangle } from '../../schema/net/network-rectangle.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import { percent } from '../components/utilization-bar.ts'
import { valueDisplay } from '../components/value.ts'
import { displayOptionsOf } from '../frame/display-options.ts'
import { visibleObjects } from '../lists/visible-objects.ts'
import { translate } from '../texts/translate.ts'
import { addressModels } from './address-models.ts'
import { type PrefixNode, type PrefixTree, sizeOf } from './prefix-tree.ts'
import { type MapBlock, SPACE_MAP } from './space-map.ts'
import { addresses, type SpaceRow } from './space-table.ts'

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
