import { type Content, type Html, html } from './html.ts'
import { loginPath } from './page.ts'
import { numeral } from './pager.ts'

/** The number of a model's objects, with the address of its list. */
export interface HomeCount {
  readonly label: string
  /** With the base path. */
  readonly path: string
  readonly count: number
}

/** Content of the start page. */
export interface Home {
  readonly basePath: string
  /** Scheme, host and base path as the client sees them. */
  readonly base: string
  readonly isSignedIn: boolean
  /** Numbers of the objects that the viewer may see, by subject. */
  readonly subjects: readonly { readonly label: string; readonly counts: readonly HomeCount[] }[]
  /** Bookmarks and latest changes. */
  readonly aside: Content
}

/** The start page: numbers of objects by subject, and the content beside them. */
export const homeBody = (
  home: Home,
): Html => html`<h1>${home.isSignedIn ? 'Home' : 'The record of your network'}</h1>
${home.subjects.length > 0 ? html`<div class="hierarchy">${home.subjects.map(subjectView)}</div>` : nothing(home)}
${home.aside}
<section class="card"><h2>From a terminal</h2>
<pre tabindex="0" aria-label="Example"><code>curl -H 'Authorization: Token &lt;key&gt;' ${home.base}/api/dcim/sites/</code></pre></section>`

const subjectView = ({ label, counts }: Home['subjects'][number]): Html =>
  html`<section class="card"><h2>${label}</h2><ul>${counts.map(
    ({ label: name, path, count }) =>
      html`<li><a href="${path}">${name}</a> <span class="count">${numeral(count)}</span></li>`,
  )}</ul></section>`

const nothing = ({ isSignedIn, basePath }: Home): Html =>
  isSignedIn
    ? html`<p class="notice">There are no objects yet that you may view. Start with a site: <a href="${basePath}/dcim/sites/add/">add one</a> or <a href="${basePath}/dcim/sites/import/">import a list</a>.</p>`
    : html`<p class="notice"><a href="${loginPath(basePath, '/')}">Log in</a> to see the stored objects.</p>`
