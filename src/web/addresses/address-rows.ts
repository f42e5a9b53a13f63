import type { ApiRequest } from '../../api/api-request.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
import { formatIp } from '../../schema/net/ip.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import { html } from '../components/html.ts'
import { valueDisplay } from '../components/value.ts'
import { displayOptionsOf } from '../frame/display-options.ts'
import { visibleObjects } from '../lists/visible-objects.ts'
import { addressModels } from './address-models.ts'
import type { AddressCell, AddressRow } from './address-table.ts'
import type { AddressWindow, SpacePart } from './address-window.ts'

/** An address space as the pages show it. */
export interface ShownSpace {
  readonly family: 4 | 6
  /** Prefix length that taken addresses get. */
  readonly length: number
  readonly vrf: number | null
}

/** Makes links to the form for an address; undefined where the sender may not add addresses. */
function addressLink(
  { actor, service, url }: ApiRequest,
  { family, length, vrf }: ShownSpace,
): (value: bigint) => string | undefined {
  const { address } = addressModels(service.registry)
  if (!mayAct(actor, 'add', address, service.settings)) return () => undefined
  return (value) => {
    const query = new URLSearchParams({
      address: `${formatIp({ family, value })}/${length}`,
      ...(vrf !== null && { vrf: String(vrf) }),
      return_url: `${url.pathname}${url.search}`,
    })
    return `${service.settings.basePath}${pagePathOf(address)}add/?${query}`
  }
}

/** Rows of a table; of hidden addresses only that they are not free is left. */
export async function addressRows(
  request: ApiRequest,
  { parts }: AddressWindow,
  space: ShownSpace,
): Promise<readonly AddressRow[]> {
  const { registry, settings } = request.service
  const { address, range } = addressModels(registry)
  const ids = parts.flatMap((part) => (part.kind === 'address' && part.isVisible ? [part.id] : []))
  const objects = await visibleObjects(request, address, ids, [
    ...['id', 'status', 'assigned_object', 'dns_name', 'description'],
  ])
  const around = await displayOptionsOf(request, [...objects.values()])
  const link = addressLink(request, space)
  return parts.flatMap((part): readonly AddressRow[] => {
    const text = spanText(space.family, part)
    const size = part.last - part.first + 1n
    if (part.kind === 'free') return [{ kind: 'free', text, size, href: link(part.first) }]
    if (!part.isVisible) return []
    const model = part.kind === 'address' ? address : range
    const href = `${settings.basePath}${pagePathOf(model)}${part.id}/`
    const object = objects.get(part.id)
    if (part.kind === 'range' || !object) return [{ kind: part.kind, text, size, href }]
    const value = (name: string) => valueDisplay(address.fields.get(name), object[name], around)
    const texts = [object.dns_name, object.description].filter(Boolean).map(String)
    return [
      {
        ...{ kind: 'address', text, size, href, status: value('status') },
        assigned: value('assigned_object'),
        description: html`<bdi>${texts.join(' · ')}</bdi>`,
      },
    ]
  })
}

const spanText = (family: 4 | 6, { first, last }: Pick<SpacePart, 'first' | 'last'>): string => {
  const from = formatIp({ family, value: first })
  return first === last ? from : `${from} – ${formatIp({ family, value: last })}`
}

/** Cells of the map of a small IPv4 network, whose addresses are all in the window. */
export function addressCells(
  request: ApiRequest,
  { parts }: AddressWindow,
  space: ShownSpace,
): readonly AddressCell[] {
  const { registry, settings } = request.service
  const page = `${settings.basePath}${pagePathOf(addressModels(registry).address)}`
  const link = addressLink(request, space)
  const cells = new Map<bigint, AddressCell>()
  for (const part of parts) {
    if (part.kind === 'range') continue
    for (let value = part.first; value <= part.last; value += 1n) {
      const text = formatIp({ family: space.family, value })
      const isUsed = part.kind === 'address'
      const used = isUsed && part.isVisible ? `${page}${part.id}/` : undefined
      const href = isUsed ? used : link(value)
      cells.set(value, { text, short: `.${text.slice(text.lastIndexOf('.') + 1)}`, isUsed, href })
    }
  }
  return [...cells].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, cell]) => cell)
}
