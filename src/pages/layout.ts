import { bannerPlace } from './banners.ts'
import { type Content, type Html, html, trusted } from './html.ts'
import { type StaticName, staticUrl } from './static-files.ts'

/** The user who views a page. */
export interface Viewer {
  readonly username: string
  /** CSRF token of the session, sent by forms as `csrfmiddlewaretoken`; absent without a session. */
  readonly csrfToken?: string | undefined
}

/** A link of the breadcrumbs. */
export interface Crumb {
  readonly label: string
  /** Path below the base path. */
  readonly path: string
}

/** A subject of the menu with its lists, by group. */
export interface MenuEntries {
  readonly label: string
  readonly groups: readonly {
    readonly label: string
    readonly entries: readonly (Crumb & { readonly isCurrent: boolean })[]
  }[]
}

/** Content of a page before it is rendered. */
export interface Page {
  /** Title in the title bar, before the name of the service. */
  readonly title: string
  /** Prefix of every path of the service. */
  readonly basePath: string
  /** Path and query of the page below the base path; a login redirects back to it. */
  readonly address: string
  /** Undefined for anonymous users. */
  readonly viewer: Viewer | undefined
  /** The viewer is unknown: the page offers neither login nor logout. */
  readonly isUnseen?: boolean
  /** Ancestors of this page and the page itself, which is last. */
  readonly breadcrumbs?: readonly Crumb[]
  /** Files in addition to those of every page. */
  readonly styles?: readonly StaticName[]
  readonly scripts?: readonly StaticName[]
  /** Lists that the viewer may see, by subject; absent on pages without a menu. */
  readonly menu?: readonly MenuEntries[]
  readonly body: Content
}

/** A complete HTML document. It uses only external styles and scripts, so that `default-src 'self'` suffices. */
export function layout(page: Page): string {
  const { title, basePath, styles = [], scripts = [] } = page
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Cadastre</title>
<link rel="icon" type="image/svg+xml" href="${staticUrl(basePath, 'icon.svg')}">
${(['page.css', 'surface.css', 'form.css', 'frame.css', ...styles, 'phone.css'] as const).map((name) => html`<link rel="stylesheet" href="${staticUrl(basePath, name)}">\n`)}
${scripts.map((name) => html`<script type="module" src="${staticUrl(basePath, name)}"></script>\n`)}
</head>
<body data-base-path="${basePath}">
<a class="skip" href="#content">Skip to content</a>
${header(page)}
${trusted(bannerPlace('top'))}
${page.menu === undefined ? mainOf(page) : html`<div class="with-menu">${menuView(page.basePath, page.menu)}${mainOf(page)}</div>`}
${trusted(bannerPlace('bottom'))}
</body>
</html>
`.toString()
}

const mainOf = (page: Page): Html => html`<main id="content">
${trailOf(page)}
${page.body}
</main>`

/** The menu; in narrow windows it opens with a button. */
const menuView = (
  basePath: string,
  menu: readonly MenuEntries[],
): Html => html`<nav class="sidebar" aria-label="Inventory">
<input type="checkbox" id="menu-open" class="visually-hidden"><label for="menu-open" class="button quiet">Menu</label>
<div class="subjects">${menu.map((subject) => subjectView(basePath, subject))}</div></nav>`

const subjectView = (basePath: string, { label, groups }: MenuEntries): Html => {
  const isOpen = groups.some(({ entries }) => entries.some(({ isCurrent }) => isCurrent))
  return html`<details name="menu"${isOpen && html` open`}><summary>${label}</summary>${groups.map(
    (group) =>
      html`<p class="sidebar-group">${group.label}</p><ul>${group.entries.map(
        (entry) =>
          html`<li><a href="${basePath}${entry.path}"${entry.isCurrent && html` aria-current="page"`}>${entry.label}</a></li>`,
      )}</ul>`,
  )}</details>`
}

const header = ({
  basePath,
  viewer,
  address,
  isUnseen = false,
}: Page): Html => html`<header class="top">
<a class="brand" href="${basePath}/"><img src="${staticUrl(basePath, 'icon.svg')}" alt="" width="24" height="24">Cadastre</a>
<nav aria-label="Main">
<a href="${basePath}/api/">API</a>
<a href="${basePath}/api/schema/swagger-ui/">Documentation</a>
<a href="${basePath}/api/schema/redoc/">Reference</a>
</nav>
${!isUnseen && html`<div class="viewer">${viewer ? signedIn(basePath, viewer) : signedOut(basePath, address)}</div>`}
</header>`

const signedIn = (basePath: string, { username, csrfToken }: Viewer): Html =>
  csrfToken === undefined
    ? html`<span>${username}</span>`
    : html`<a href="${basePath}/user/api-tokens/">${username}</a>
<form method="post" action="${basePath}/logout/">
<input type="hidden" name="csrfmiddlewaretoken" value="${csrfToken}">
<button class="quiet">Log out</button>
</form>`

const signedOut = (basePath: string, address: string): Html =>
  html`<a class="button" href="${loginPath(basePath, address)}">Log in</a>`

/** Path of the login page, which redirects to `address` afterwards. */
export const loginPath = (basePath: string, address: string): string =>
  `${basePath}/login/?next=${encodeURIComponent(`${basePath}${address}`)}`

function trailOf({ basePath, breadcrumbs = [] }: Page): Content {
  if (breadcrumbs.length === 0) return undefined
  const steps = breadcrumbs.map(({ label, path }, index) =>
    index === breadcrumbs.length - 1
      ? html`<li><a href="${basePath}${path}" aria-current="page">${label}</a></li>`
      : html`<li><a href="${basePath}${path}">${label}</a></li>`,
  )
  return html`<nav class="breadcrumbs" aria-label="Breadcrumb"><ol>${steps}</ol></nav>`
}
