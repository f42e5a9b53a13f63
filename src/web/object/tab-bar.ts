import { type Content, html } from '../components/html.ts'
import { numeral, translate } from '../texts/translate.ts'

/** A tab of an object's pages. */
export interface TabLink {
  readonly label: string
  readonly href: string
  /** Number of objects; absent where none is shown. */
  readonly count?: number | undefined
  readonly isCurrent: boolean
}

/** The pages of an object, the current one marked; nothing if there is only one. */
export const tabBar = (tabs: readonly TabLink[]): Content =>
  tabs.length > 1 &&
  html`<nav class="tabs" aria-label="${translate('Pages of this object')}"><ul>${tabs.map(
    ({ label, href, count, isCurrent }) =>
      html`<li><a href="${href}"${isCurrent && html` aria-current="page"`}>${label}${count !== undefined && count > 0 && html` <span class="count">${numeral(count)}</span>`}</a></li>`,
  )}</ul></nav>`
