import { type Content, type Html, html } from '../components/html.ts'

interface MenuLink {
  readonly label: string
  readonly href: string
  readonly isCurrent?: boolean
}

/** A button that opens a list of links; works without scripts. `links` may be followed by further content. */
export const linkMenu = (label: string, links: readonly MenuLink[], more?: Content): Html =>
  html`<details class="link-menu"><summary class="button quiet">${label}</summary><div class="panel-of-links">${links.length > 0 && html`<ul>${links.map(linkItem)}</ul>`}${more}</div></details>`

const linkItem = ({ label, href, isCurrent = false }: MenuLink): Html =>
  html`<li><a href="${href}"${isCurrent && html` aria-current="true"`}><bdi>${label}</bdi></a></li>`
