import { type Content, type Html, html } from '../components/html.ts'
import { layout } from '../frame/layout.ts'
import { loginPath, type Page } from '../frame/page.ts'
import { numeral } from '../texts/translate.ts'
import { jsonMarkup } from './json-markup.ts'

/** A view of an endpoint. */
export interface Tab {
  readonly label: string
  readonly href: string
  readonly isCurrent: boolean
}

/** A request and the API's response to it. */
export interface Exchange {
  readonly method: string
  /** Path and query of the request. */
  readonly target: string
  readonly status: number
  readonly statusText: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** JSON; undefined without a body. */
  readonly body: string | undefined
  /** URL of the same response without a page. */
  readonly plain: string
}

/** A page about an endpoint. */
export interface BrowsePage extends Omit<Page, 'body' | 'styles' | 'scripts'> {
  readonly heading: string
  readonly description: string
  readonly tabs: readonly Tab[]
  /** Whether the response requires the user to sign in. */
  readonly asksForLogin: boolean
  /** Content above the response, or instead of it. */
  readonly controls: Content
  /** Content beside the response. */
  readonly aside: Content
  /** The response; undefined if the page shows objects instead. */
  readonly exchange: Exchange | undefined
}

/** The HTML document of a page about an endpoint. */
export const browsePage = (page: BrowsePage): string =>
  layout({
    ...page,
    styles: ['inputs.css', 'browse.css', 'related.css'],
    scripts: ['browse.client.ts'],
    body: html`<div class="heading"><h1>${page.heading}</h1>${page.description !== '' && html`<p class="muted">${page.description}</p>`}</div>
${page.asksForLogin && loginNotice(page)}
${page.tabs.length > 1 && viewTabs(page.tabs)}
${page.aside === undefined ? contentOf(page) : html`<div class="columns"><div>${contentOf(page)}</div><aside aria-label="Related">${page.aside}</aside></div>`}`,
  })

const contentOf = ({ controls, exchange }: BrowsePage): Html => html`${controls}${exchangeSection(exchange)}`

const loginNotice = ({ basePath, address }: BrowsePage): Html =>
  html`<div class="notice warn"><p>You have not signed in, or not as somebody who may see this.
<a href="${loginPath(basePath, address)}">Log in</a> to continue.</p></div>`

const viewTabs = (tabs: readonly Tab[]): Html =>
  html`<nav class="tabs" aria-label="Views"><ul>${tabs.map(
    ({ label, href, isCurrent }) =>
      html`<li><a href="${href}"${isCurrent && html` aria-current="page"`}>${label}</a></li>`,
  )}</ul></nav>`

function exchangeSection(exchange: Exchange | undefined): Content {
  if (!exchange) return undefined
  const { method, target, status, statusText, headers, plain } = exchange
  return html`<section class="exchange" aria-label="Request and response">
<div class="request-line"><span class="method">${method}</span> <code>${target}</code><a class="plain" href="${plain}">JSON</a></div>
<div class="answer-line"><span class="status${status >= 400 && ' bad'}">${status} ${statusText}</span>
<dl>${headers.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl></div>
${responseBody(exchange)}
</section>`
}

/** Maximum length of a response that a page shows: longer ones make browsers slow. */
const MOST_SHOWN = 1_000_000

function responseBody({ body, plain }: Exchange): Html {
  if (body === undefined) return html`<p class="body muted">No body.</p>`
  if (body.length <= MOST_SHOWN) return jsonMarkup(body)
  return html`<p class="body">The response has ${numeral(body.length)} characters. <a href="${plain}">Open it separately</a>.</p>`
}
