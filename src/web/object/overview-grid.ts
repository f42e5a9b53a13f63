import { type Content, html } from '../components/html.ts'
import { numeral } from '../texts/numeral.ts'

/** Objects of one kind that belong to the shown object. */
export interface OverviewCard {
  readonly label: string
  /** Address of the list of all of them. */
  readonly href: string
  readonly count: number
  /** The first of them. */
  readonly entries: readonly { readonly name: Content; readonly status: Content }[]
}

/** A card for each kind of objects; nothing if there are none. */
export const overviewGrid = (cards: readonly OverviewCard[]): Content =>
  cards.length > 0 &&
  html`<div class="overview">${cards.map(
    ({ label, href, count, entries }) =>
      html`<section class="card"><h2><a href="${href}">${label}</a> <span class="count">${numeral(count)}</span></h2><ul class="plain">${entries.map(({ name, status }) => html`<li><span>${name}</span>${status}</li>`)}</ul></section>`,
  )}</div>`
