import { type Content, type Html, html } from '../html.ts'
import { numeral, type Text, translate } from '../texts/translate.ts'

/** A tab of an object's pages. */
export interface TabLink {
  readonly label: string
  readonly href: string
  /** Number of objects; absent if none is shown. */
  readonly count?: number | undefined
  readonly isCurrent: boolean
  /** Menu that contains it together with other tabs. */
  readonly group?: Text | undefined
}

/** Maximum number of counted tabs in the bar; later ones are in a menu, so that the bar fits on one line. */
const MOST_COUNTED = 5

/** The pages of an object, the current one marked; nothing if there is only one. */
export function tabBar(tabs: readonly TabLink[]): Content {
  if (tabs.length < 2) return undefined
  let counted = 0
  const grouped = tabs.map((tab): TabLink => {
    if (tab.count === undefined || tab.group !== undefined) return tab
    counted += 1
    return counted > MOST_COUNTED ? { ...tab, group: 'More' } : tab
  })
  const items = [...Map.groupBy(grouped, ({ group, href }) => group ?? href).values()].map((members) => {
    const [first, second] = members
    return first?.group !== undefined && second ? tabMenu(first.group, members) : members.map(tabItem)
  })
  return html`<nav class="tabs" aria-label="${translate('Pages of this object')}"><ul>${items}</ul></nav>`
}

const tabItem = (tab: TabLink): Html => html`<li>${tabLink(tab)}</li>`

const tabLink = ({ label, href, count, isCurrent }: TabLink): Html =>
  html`<a href="${href}"${isCurrent && html` aria-current="page"`}>${label}${count !== undefined && count > 0 && html` <span class="count">${numeral(count)}</span>`}</a>`

/** Several tabs under one name: that of the current tab, if it is among them. */
const tabMenu = (name: Text, members: readonly TabLink[]): Html =>
  html`<li><details class="link-menu tab-menu"><summary>${members.find(({ isCurrent }) => isCurrent)?.label ?? translate(name)}</summary><div class="panel-of-links"><ul>${members.map(tabItem)}</ul></div></details></li>`
