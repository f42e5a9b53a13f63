import { type Content, type Html, html } from '../components/html.ts'
import { utilizationBar } from '../components/utilization-bar.ts'
import { numeral } from '../texts/numeral.ts'
import { translate, translateLabel } from '../texts/translate.ts'

/** A row of the table of an address space: a prefix, or free space. */
export interface SpaceRow {
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
  html`<div class="scroll" tabindex="0" role="region" aria-label="${label}"><table class="objects-table space-table" data-island="space-table"><thead><tr><th scope="col">${translateLabel('Prefix')}</th><th scope="col">${translateLabel('Status')}</th><th scope="col">${translateLabel('Role')}</th><th scope="col">${translate('Utilization')}</th><th scope="col" class="number">${translate('Addresses')}</th><th scope="col">${translate('Description')}</th></tr></thead><tbody>${rows.map(rowView)}</tbody></table></div>`

const rowView = (row: SpaceRow): Html => {
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
