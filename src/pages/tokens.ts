import { type Content, type Html, html } from './html.ts'
import { layout } from './layout.ts'
import type { Crumb, Viewer } from './page.ts'
import { type PagerState, pager } from './pager.ts'
import { csrfField, type TokenForm, tokenForm } from './token-form.ts'

/** Path of the list below the base path. */
export const TOKENS_PATH = '/user/api-tokens/'

/** A token as its user sees it; timestamps are ISO 8601, UTC. */
export interface ShownToken {
  readonly id: number
  /** Identifies the token without revealing it. */
  readonly display: string
  readonly description: string
  readonly version: number
  readonly created: string
  readonly expires: string | undefined
  readonly lastUsed: string | undefined
  readonly mayWrite: boolean
  readonly isEnabled: boolean
  readonly hasExpired: boolean
  readonly allowedIps: readonly string[]
}

interface Personal {
  readonly basePath: string
  readonly viewer: Viewer
}

export interface TokenList extends Personal {
  readonly tokens: readonly ShownToken[]
  readonly extent: PagerState
  readonly form: TokenForm
  /** The full key of a token that has just been created. */
  readonly made: string | undefined
}

/** A user's own tokens, and the form for a new one. */
export const tokensPage = ({ basePath, viewer, tokens, extent, form, made }: TokenList): string =>
  layout({
    title: 'API tokens',
    basePath,
    address: TOKENS_PATH,
    viewer,
    breadcrumbs: [LIST],
    scripts: ['tokens.js'],
    body: html`<h1>API tokens</h1>
<p class="muted">With a token a program acts as <strong>${viewer.username}</strong>, without the password.</p>
${made !== undefined && keyOnce(made)}
${tokens.length > 0 && html`${table(basePath, tokens)}${hasMore(extent) && pager(extent)}`}
<section class="card" aria-labelledby="new-token">
<h2 id="new-token">New token</h2>
<p class="muted">Its key is shown once, when it has been made.</p>
${tokenForm(form)}
</section>`,
  })

export interface TokenDetail extends Personal {
  readonly token: ShownToken
  readonly form: TokenForm
}

/** One token with a form for its changes, and its deletion. */
export const tokenPage = ({ basePath, viewer, token, form }: TokenDetail): string =>
  layout({
    title: `Token ${token.display}`,
    basePath,
    address: `${TOKENS_PATH}${token.id}/`,
    viewer,
    breadcrumbs: [LIST, { label: token.display, path: `${TOKENS_PATH}${token.id}/` }],
    body: html`<h1>Token <code>${token.display}</code></h1>
<section class="card" aria-label="Limits of the token">${tokenForm(form)}</section>
<details class="card more"><summary>Delete this token</summary>
<p>Whatever uses it is refused from then on. It cannot be undone.</p>
<form method="post" action="${basePath}${TOKENS_PATH}${token.id}/delete/">
${csrfField(form.csrfToken)}
<button class="danger">Delete token</button>
</form></details>`,
  })

const hasMore = ({ previous, next }: PagerState): boolean =>
  previous !== undefined || next !== undefined

const LIST: Crumb = { label: 'API tokens', path: TOKENS_PATH }

const keyOnce = (key: string): Html => html`<div class="notice good" role="status">
<p><strong>The token has been made.</strong> This is the only time that it is shown:</p>
<p><output class="secret" id="new-key">${key}</output></p>
<p><button type="button" class="quiet" data-copies="new-key" hidden>Copy</button></p>
<p class="muted">Send it with each request: <code>Authorization: ${key.includes('.') ? 'Bearer' : 'Token'} …</code></p>
</div>`

const table = (
  basePath: string,
  tokens: readonly ShownToken[],
): Html => html`<div class="scroll" tabindex="0" role="region" aria-label="Your tokens"><table>
<thead><tr>${['Token', 'Description', 'State', 'Rights', 'Created', 'Expires', 'Last used', 'Allowed addresses'].map((label) => html`<th scope="col">${label}</th>`)}</tr></thead>
<tbody>${tokens.map((token) => row(basePath, token))}</tbody>
</table></div>`

const row = (basePath: string, token: ShownToken): Html => html`<tr>
<th scope="row"><a href="${basePath}${TOKENS_PATH}${token.id}/"><code>${token.display}</code></a></th>
<td>${token.description}</td>
<td>${stateOf(token)}</td>
<td>${token.mayWrite ? 'Read and write' : 'Read only'}</td>
<td>${moment(token.created)}</td>
<td>${moment(token.expires) ?? 'Never'}</td>
<td>${moment(token.lastUsed) ?? 'Never'}</td>
<td>${token.allowedIps.join(', ') || 'Any'}</td>
</tr>`

const stateOf = ({ isEnabled, hasExpired }: ShownToken): string => {
  if (hasExpired) return 'Expired'
  return isEnabled ? 'Enabled' : 'Disabled'
}

/** A timestamp with minutes. */
const moment = (text: string | undefined): Content =>
  text === undefined
    ? undefined
    : html`<time datetime="${text}">${text.slice(0, 16).replace('T', ' ')}</time>`
