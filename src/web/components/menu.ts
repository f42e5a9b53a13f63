import { type Content, type Html, html } from '../html.ts'
import { type IconName, icon as iconOf } from './icon.ts'

interface MenuLink {
  readonly label: string
  readonly href: string
  readonly isCurrent?: boolean
  readonly isDangerous?: boolean
}

/**
 * A button that opens a list of links; works without scripts. `more`: further content; `icon`: shown instead of the
 * label.
 */
export const linkMenu = (
  label: string,
  links: readonly MenuLink[],
  { more, icon }: { readonly more?: Content; readonly icon?: IconName } = {},
): Html =>
  html`<details class="link-menu">${icon === undefined ? html`<summary class="button quiet">${label}</summary>` : html`<summary class="icon-button" aria-label="${label}" title="${label}">${iconOf(icon)}</summary>`}<div class="panel-of-links">${links.length > 0 && linkList(links)}${more}</div></details>`

/** The links of a menu. */
export const linkList = (links: readonly MenuLink[]): Html => html`<ul>${links.map(linkItem)}</ul>`

const linkItem = ({ label, href, isCurrent = false, isDangerous = false }: MenuLink): Html =>
  html`<li><a href="${href}"${isCurrent && html` aria-current="true"`}${isDangerous && html` class="danger"`}><bdi>${label}</bdi></a></li>`
