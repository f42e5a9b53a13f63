import type { ApiRequest } from '../../api/api-request.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
import { formatIp } from '../../schema/net/ip.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import { valueDisplay } from '../components/value.ts'
import { displayOptionsOf } from '../data/display-options.ts'
import { visibleObjects } from '../data/page-objects.ts'
import { type Content, type Html, html } from '../html.ts'
import { translate, translateLabel } from '../texts/translate.ts'
import { addressModels } from './address-models.ts'
import type { AddressWindow, SpacePart } from './address-window.ts'
import { addresses, type Inherited } from './space-rows.ts'

/** An address space in the form of the pages. */
export interface ShownSpace {
  readonly family: 4 | 6
  /** Prefix length of allocated addresses. */
  readonly length: number
  /** Values that new objects in the space share with it. */
  readonly inherited: Inherited
}

/** Those of them that an address has too. */
const OF_ADDRESSES: ReadonlySet<string> = new Set(['vrf', 'tenant'])

/** The URL of the form for a free address; undefined without a link. */
type AddressLink = (value: bigint) => string | undefined

/** Makes links to the form for an address; none if the sender may not add addresses. */
export function addressLink(
  { actor, service, url }: ApiRequest,
  { family, length, inherited }: ShownSpace,
): AddressLink {
  const { address } = addressModels(service.registry)
  if (!mayAct(actor, 'add', address, service.settings)) return () => undefined
  return (value) => {
    const query = new URLSearchParams({
      address: `${formatIp({ family, value })}/${length}`,
      ...Object.fromEntries([...inherited].filter(([name]) => OF_ADDRESSES.has(name))),
      return_url: `${url.pathname}${url.search}`,
    })
    return `${service.settings.basePath}${pagePathOf(address)}add/?${query}`
  }
}

/** Addresses with the free ones between them; hidden addresses are shown only as occupied. */
export async function addressTable(request: ApiRequest, { parts }: AddressWindow, space: ShownSpace): Promise<Html> {
  const { registry, settings } = request.service
  const { address, range } = addressModels(registry)
  const ids = parts.flatMap((part) => (part.kind === 'address' && part.isVisible ? [part.id] : []))
  const objects = await visibleObjects(request, address, ids, [
    ...['id', 'status', 'assigned_object', 'dns_name', 'description'],
  ])
  const options = await displayOptionsOf(request, [...objects.values()])
  const link = addressLink(request, space)
  const rows = parts.map((part): Content => {
    const text = spanText(space.family, part)
    const size = part.last - part.first + 1n
    if (part.kind === 'free') return freeRow(text, size, link(part.first))
    if (!part.isVisible) return undefined
    const model = part.kind === 'address' ? address : range
    const object = part.kind === 'address' ? objects.get(part.id) : undefined
    const value = (name: string): Content => object && valueDisplay(address.fields.get(name), object[name], options)
    const texts = [object?.dns_name, object?.description].filter(Boolean).map(String)
    const status = part.kind === 'range' ? translate('Range of {count}', { count: addresses(size) }) : value('status')
    return html`<tr><th scope="row"><a href="${settings.basePath}${pagePathOf(model)}${part.id}/">${text}</a></th><td>${status}</td><td>${value('assigned_object')}</td><td>${object && html`<bdi>${texts.join(' · ')}</bdi>`}</td></tr>`
  })
  return html`<div class="scroll objects-table" tabindex="0" role="region" aria-label="${translate('Addresses')}"><table class="space-table"><thead><tr><th scope="col">${translate('Address')}</th><th scope="col">${translateLabel('Status')}</th><th scope="col">${translate('Assigned to')}</th><th scope="col">${translate('DNS name, description')}</th></tr></thead><tbody>${rows}</tbody></table></div>`
}

/** Free addresses, with the link to the form for the first one. */
const freeRow = (text: string, size: bigint, href: string | undefined): Html =>
  html`<tr class="free-space"><th scope="row">${text}</th><td colspan="2">${size === 1n ? translate('Free') : translate('{count} free', { count: addresses(size) })}</td><td>${href !== undefined && html`<a class="button quiet small" href="${href}" aria-label="${size === 1n ? translate('Use {name}', { name: text }) : translate('Next free IP: {range}', { range: text })}">${translate(size === 1n ? 'Use' : 'Next free IP')}</a>`}</td></tr>`

const spanText = (family: 4 | 6, { first, last }: Pick<SpacePart, 'first' | 'last'>): string => {
  const from = formatIp({ family, value: first })
  return first === last ? from : `${from} – ${formatIp({ family, value: last })}`
}

/**
 * All addresses of a small IPv4 network, all of which are in the window; those in use are links to their pages, and
 * the others have the links that `link` makes.
 */
export function addressGrid({ service }: ApiRequest, { parts }: AddressWindow, link: AddressLink): Html {
  const { registry, settings } = service
  const page = `${settings.basePath}${pagePathOf(addressModels(registry).address)}`
  const cells = new Map<bigint, Html>()
  for (const part of parts) {
    if (part.kind === 'range') continue
    for (let value = part.first; value <= part.last; value += 1n) {
      const address = formatIp({ family: 4, value })
      const isUsed = part.kind === 'address'
      const used = isUsed && part.isVisible ? `${page}${part.id}/` : undefined
      cells.set(value, addressCell(address, isUsed, isUsed ? used : link(value)))
    }
  }
  const ordered = [...cells].sort(([a], [b]) => (a < b ? -1 : 1))
  return html`<ul class="address-grid">${ordered.map(([, cell]) => cell)}</ul>`
}

function addressCell(address: string, isUsed: boolean, href: string | undefined): Html {
  const short = address.slice(address.lastIndexOf('.'))
  const label = translate(isUsed ? '{address}, in use' : '{address}, free', { address })
  return html`<li class="${isUsed ? 'used' : 'free'}">${href === undefined ? html`<span title="${label}">${short}</span>` : html`<a href="${href}" title="${label}" aria-label="${isUsed ? label : translate('Use {name}', { name: address })}">${short}</a>`}</li>`
}
