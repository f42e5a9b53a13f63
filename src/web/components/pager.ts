import { type Content, type Html, html } from '../html.ts'
import { numeral, translate, translateMarkup } from '../texts/translate.ts'

/** Position of a page in a collection. */
export interface PagerState {
  /** Total number of objects; null if it was not counted. */
  readonly count: number | null
  /** Number of objects before the page. */
  readonly offset: number
  /** Number of objects on the page. */
  readonly length: number
  /** URLs of the adjacent pages. */
  readonly previous: string | undefined
  readonly next: string | undefined
}

/** Range and total of the page, with links to the adjacent pages. */
export function pager({ count, offset, length, previous, next }: PagerState): Html {
  const range = length === 0 ? translate('Nothing') : `${numeral(offset + 1)}–${numeral(offset + length)}`
  return html`<nav class="pager" aria-label="${translate('Pages')}">
<span>${count === null ? range : translateMarkup('{range} of {total}', { range, total: html`<strong>${numeral(count)}</strong>` })}</span>
${(previous !== undefined || next !== undefined) && html`<span class="ways">${way(translate('Previous'), 'prev', previous)}${way(translate('Next'), 'next', next)}</span>`}
</nav>`
}

const way = (label: string, rel: string, address: string | undefined): Content =>
  address === undefined
    ? html`<span class="button quiet off" aria-disabled="true">${label}</span>`
    : html`<a class="button quiet" rel="${rel}" href="${address}">${label}</a>`
