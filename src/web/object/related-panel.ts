import { type Content, html } from '../components/html.ts'
import { panel } from '../components/panel.ts'
import { numeral } from '../texts/numeral.ts'
import { translate } from '../texts/translate.ts'

/** A list of objects that belong to the shown one. */
export interface CountedLink {
  readonly label: string
  readonly href: string
  readonly count: number
}

/** Links to lists with the number of their objects; nothing if there are none. */
export const relatedPanel = (links: readonly CountedLink[]): Content =>
  links.length > 0 &&
  panel(
    translate('Related objects'),
    html`<ul class="counted">${links.map(
      ({ label, href, count }) =>
        html`<li><a href="${href}">${label}</a> <span class="count">${numeral(count)}</span></li>`,
    )}</ul>`,
  )
