import type { ApiRequest } from '../../api/api-request.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
import { formatIp } from '../../schema/net/ip.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import { type Content, type Html, html } from '../components/html.ts'
import { valueDisplay } from '../components/value.ts'
import { displayOptionsOf } from '../frame/display-options.ts'
import { visibleObjects } from '../lists/visible-objects.ts'
import { translate, translateLabel } from '../texts/translate.ts'
import { addressModels } from './address-models.ts'
import type { AddressWindow, SpacePart } from './address-window.ts'
import { addresses } from './space-rows.ts'

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

/** A row of the table of addresses: one address, a range, or free addresses between them. */
interface AddressRow {
  readonly kind: 'address' | 'range' | 'free'
  /** The address, or the first and the last. */
  readonly text: string
  /** Number of addresses. */
  readonly size: bigint
  /** Address of the object's page, or of the form for the first free address. */
  readonly href: string | undefined
  readonly status?: Content
  readonly assigned?: Content
  readonly description?: Content
}

/** Addresses with the free ones between them. */
export const addressTable = (rows: readonly AddressRow[]): Html =>
  html`<div class="scroll" tabindex="0" role="region" aria-label="${translate('Addresses')}"><table class="objects-table space-table"><thead><tr><th scope="col">${translate('Address')}</th><th scope="col">${translateLabel('Status')}</th><th scope="col">${translate('Assigned to')}</th><th scope="col">${translate('DNS name, description')}</th></tr></thead><tbody>${rows.map(rowOf)}</tbody></table></div>`

const rowOf = ({ kind, text, size, href, status, assigned, description }: AddressRow): Html =>
  kind === 'free'
    ? html`<tr class="free-space"><th scope="row">${text}</th><td colspan="2">${size === 1n ? translate('Free') : translate('{count} free', { count: addresses(size) })}</td><td>${href !== undefined && html`<a class="button quiet small" href="${href}" aria-label="${size === 1n ? translate('Take {name}', { name: text }) : translate('Take the first of {range}', { range: text })}">${translate(size === 1n ? 'Take' : 'Take the first')}</a>`}</td></tr>`
    : html`<tr><th scope="row">${href === undefined ? text : html`<a href="${href}">${text}</a>`}</th><td>${kind === 'range' ? translate('Range of {count}', { count: addresses(size) }) : status}</td><td>${assigned}</td><td>${description}</td></tr>`

/** An address of the map of a small network. */
interface AddressCell {
  readonly text: string
  /** Last part of the address. */
  readonly short: string
  readonly isUsed: boolean
  readonly href: string | undefined
}

/** All addresses of a small network, each a link to its page or to the form that takes it. */
export const addressGrid = (cells: readonly AddressCell[]): Html =>
  html`<ul class="address-grid">${cells.map(({ text, short, isUsed, href }) => {
    const label = translate(isUsed ? '{address}, in use' : '{address}, free', { address: text })
    return html`<li class="${isUsed ? 'used' : 'free'}">${href === undefined ? html`<span title="${label}">${short}</span>` : html`<a href="${href}" title="${label}" aria-label="${isUsed ? label : translate('Take {name}', { name: text })}">${short}</a>`}</li>`
  })}</ul>`
