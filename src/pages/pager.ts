import { type Content, type Html, html } from './html.ts'

/** Which part of a collection a page shows. */
export interface PagerState {
  /** Of the whole result; null where nobody counted. */
  readonly count: number | null
  /** Objects in front of the page. */
  readonly offset: number
  /** Objects on the page. */
  readonly length: number
  /** Addresses of the neighbours. */
  readonly previous: string | undefined
  readonly next: string | undefined
}

/** What is shown of how many, and the ways to the rest. */
export function pager({ count, offset, length, previous, next }: PagerState): Html {
  const range = length === 0 ? 'Nothing' : `${numeral(offset + 1)}–${numeral(offset + length)}`
  return html`<nav class="pager" aria-label="Pages">
<span>${range}${count !== null && html` of <strong>${numeral(count)}</strong>`}</span>
${(previous !== undefined || next !== undefined) && html`<span class="ways">${way('Previous', 'prev', previous)}${way('Next', 'next', next)}</span>`}
</nav>`
}

const way = (label: string, rel: string, address: string | undefined): Content =>
  address === undefined
    ? html`<span class="button quiet off" aria-disabled="true">${label}</span>`
    : html`<a class="button quiet" rel="${rel}" href="${address}">${label}</a>`

const NUMERALS = new Intl.NumberFormat('en')

/** A number with its thousands apart. */
export const numeral = (value: number): string => NUMERALS.format(value)
