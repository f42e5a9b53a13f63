import { type Content, type Html, html } from '../components/html.ts'
import { translate, translateLabel } from '../texts/translate.ts'
import { addresses } from './space-table.ts'

/** A row of the table of addresses: one address, a range, or free addresses between them. */
export interface AddressRow {
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
export interface AddressCell {
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
