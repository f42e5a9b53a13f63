import { type Content, type Html, html } from './html.ts'
import { type StaticName, staticUrl } from './static-files.ts'

/** Who looks at a page. */
export interface Viewer {
  readonly username: string
  /** Secret that the session's forms send back as `csrfmiddlewaretoken`; absent where there is no session. */
  readonly csrfToken?: string | undefined
}

/** A step on the way to a page. */
export interface Crumb {
  readonly label: string
  /** Path below the base path. */
  readonly path: string
}

/** A page before it is one. */
export interface Page {
  /** Stands in the title bar, before the name of the service. */
  readonly title: string
  /** Path in front of every path of the service. */
  readonly basePath: string
  /** Path and query of the page below the base path, to which a login leads back. */
  readonly address: string
  /** Undefined: nobody has signed in. */
  readonly viewer: Viewer | undefined
  /** It is not known who looks: the page offers neither to log in nor to log out. */
  readonly isUnseen?: boolean
  /** The way here, this page last. */
  readonly breadcrumbs?: readonly Crumb[]
  /** Files besides those that every page has. */
  readonly styles?: readonly StaticName[]
  readonly scripts?: readonly StaticName[]
  readonly body: Content
}

/** A whole document. It takes styles and scripts from files alone, so that `default-src 'self'` suffices. */
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
${(['page.css', 'surface.css', 'form.css', ...styles, 'phone.css'] as const).map((name) => html`<link rel="stylesheet" href="${staticUrl(basePath, name)}">\n`)}
${scripts.map((name) => html`<script type="module" src="${staticUrl(basePath, name)}"></script>\n`)}
</head>
<body data-base-path="${basePath}">
<a class="skip" href="#content">Skip to content</a>
${header(page)}
<main id="content">
${trailOf(page)}
${page.body}
</main>
</body>
</html>
`.toString()
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

/** Where to sign in, coming back to `address` afterwards. */
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
