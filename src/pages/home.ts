import { type HierarchyGroup, hierarchy } from './hierarchy.ts'
import { type Content, type Html, html } from './html.ts'
import { layout, loginPath, type Viewer } from './layout.ts'

/** Content of the start page. */
export interface Home {
  readonly basePath: string
  /** Scheme, host and base path as the client sees them. */
  readonly base: string
  readonly version: string
  readonly viewer: Viewer | undefined
  /** Numbers of the objects that the viewer may see. */
  readonly totals: readonly HierarchyGroup[]
}

/** The start page: a description, links, numbers of objects. */
export const homePage = (home: Home): string =>
  layout({
    title: 'Network inventory',
    basePath: home.basePath,
    address: '/',
    viewer: home.viewer,
    styles: ['related.css', 'home.css'],
    body: html`<div class="welcome">
<h1>The record of your network</h1>
<p>Sites, racks, devices and cables, addresses, circuits and virtual machines behind the NetBox REST API, version ${home.version}.</p>
</div>
<ul class="doors">
${door(`${home.basePath}/api/`, 'Browse the API', 'Every endpoint as a page: filters, tables, forms and the JSON itself.')}
${door(`${home.basePath}/api/schema/swagger-ui/`, 'Documentation', 'All operations, with a form to try each one.')}
${door(`${home.basePath}/api/schema/redoc/`, 'Reference', 'Fields and filters of each resource, for reading.')}
${home.viewer?.csrfToken !== undefined && door(`${home.basePath}/user/api-tokens/`, 'Your tokens', 'Keys for scripts and other programs.')}
</ul>
${home.totals.length > 0 ? totalsView(home.totals) : nothing(home)}
<section class="card"><h2>From a terminal</h2>
<pre tabindex="0" aria-label="Example"><code>curl -H 'Authorization: Token &lt;key&gt;' ${home.base}/api/dcim/sites/</code></pre></section>`,
  })

const door = (path: string, label: string, text: string): Html =>
  html`<li><a class="door card" href="${path}"><strong>${label}</strong><span>${text}</span></a></li>\n`

const totalsView = (totals: readonly HierarchyGroup[]): Html =>
  html`<h2 class="totals">What is stored</h2>${hierarchy(totals)}`

function nothing({ viewer, basePath }: Home): Content {
  return viewer
    ? html`<p class="notice">There are no objects yet that you may view.</p>`
    : html`<p class="notice"><a href="${loginPath(basePath, '/')}">Log in</a> to see the stored objects.</p>`
}
