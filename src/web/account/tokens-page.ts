import type { ApiRequest } from '../../api/api-request.ts'
import { requireUser } from '../../identity/require-user.ts'
import { csrfField } from '../components/csrf-field.ts'
import { type PagerState, pager } from '../components/pager.ts'
import { timestampDisplay } from '../components/value.ts'
import type { Crumb } from '../frame/page.ts'
import type { FramedPage } from '../frame/page-frame.ts'
import { type Content, type Html, html } from '../html.ts'
import { translate, translateMarkup } from '../texts/translate.ts'
import { accountPage } from './account-page.ts'
import { type TokenForm, tokenForm } from './token-form-page.ts'

/** Path of the list below the base path. */
export const TOKENS_PATH = '/user/api-tokens/'

/** Path of the page with the calls and plans of agents, below the base path. */
export const AGENTS = '/users/agents/'

/** A token as its user sees it; timestamps are ISO 8601, UTC. */
export interface ShownToken {
  readonly id: number
  /** Identifies the token without revealing it. */
  readonly display: string
  readonly description: string
  readonly version: number
  /** Only on the page of a single token. */
  readonly apiVersion: string | undefined
  readonly created: string
  readonly expires: string | undefined
  readonly lastUsed: string | undefined
  readonly mayWrite: boolean
  /** Only on the page of a single token. */
  readonly isForAgent: boolean
  readonly isEnabled: boolean
  readonly hasExpired: boolean
  readonly allowedIps: readonly string[]
}

interface TokenList {
  readonly status: number
  readonly tokens: readonly ShownToken[]
  readonly extent: PagerState
  readonly form: TokenForm
  /** The full key of a newly created token. */
  readonly made: string | undefined
}

/** A user's own tokens, and the form for a new one. */
export const tokensPage = (request: ApiRequest, { status, tokens, extent, form, made }: TokenList): FramedPage => ({
  ...accountPage(request, 'api-tokens', {
    status,
    content: html`<p class="muted">${translateMarkup('Programs use tokens to act as {user}.', { user: html`<strong>${requireUser(request).username}</strong>` })}</p>
${made !== undefined && keyOnce(made)}
${tokens.length > 0 && html`${table(request.service.settings.basePath, tokens)}${hasMore(extent) && pager(extent)}`}
<section class="card" aria-labelledby="new-token">
<h2 id="new-token">${translate('New token')}</h2>
<p class="muted">${translate('The key is shown only once, after the token is created.')}</p>
${tokenForm(form)}
</section>`,
  }),
  scripts: ['copy.client.ts', 'edit-form.client.ts'],
})

interface TokenDetail {
  readonly status: number
  readonly token: ShownToken
  readonly form: TokenForm
}

/** One token with a form for its changes, and its deletion. */
export function tokenPage(request: ApiRequest, { status, token, form }: TokenDetail): FramedPage {
  const { basePath } = request.service.settings
  const page = accountPage(request, 'api-tokens', {
    status,
    content: html`<h2>${translateMarkup('Token {token}', { token: html`<code>${token.display}</code>` })}</h2>
${token.isForAgent && html`<p><a href="${basePath}${AGENTS}?token=${token.id}">${translate('Calls and plans of this agent')}</a></p>`}
<section class="card" aria-label="${translate('Limits of the token')}">${tokenForm(form)}</section>
<details class="card more"><summary>${translate('Delete this token')}</summary>
<p>${translate('Anything that uses this token will be refused. This cannot be undone.')}</p>
<form method="post" action="${basePath}${TOKENS_PATH}${token.id}/delete/">
${csrfField(form.csrfToken)}
<button class="danger">${translate('Delete token')}</button>
</form></details>`,
  })
  const crumb: Crumb = { label: token.display, path: `${TOKENS_PATH}${token.id}/` }
  return {
    ...page,
    scripts: ['edit-form.client.ts'],
    title: translate('Token {token}', { token: token.display }),
    breadcrumbs: [...(page.breadcrumbs ?? []), crumb],
  }
}

const hasMore = ({ previous, next }: PagerState): boolean => previous !== undefined || next !== undefined

const keyOnce = (key: string): Html => html`<div class="notice good" role="status">
<p><strong>${translate('Token created.')}</strong> ${translate('This is the only time that it is shown:')}</p>
<p><output class="secret">${key}</output></p>
<p><button type="button" class="quiet" data-copy hidden>${translate('Copy')}</button></p>
<p class="muted">${translate('Send it with each request:')} <code>Authorization: ${key.includes('.') ? 'Bearer' : 'Token'} …</code></p>
</div>`

const table = (
  basePath: string,
  tokens: readonly ShownToken[],
): Html => html`<div class="scroll" tabindex="0" role="region" aria-label="${translate('Your tokens')}"><table>
<thead><tr>${HEADINGS.map((heading) => html`<th scope="col">${translate(heading)}</th>`)}</tr></thead>
<tbody>${tokens.map((token) => row(basePath, token))}</tbody>
</table></div>`

const HEADINGS = [
  'Token',
  'Description',
  'State',
  'Rights',
  'Created',
  'Expires',
  'Last used',
  'Allowed addresses',
] as const

const row = (basePath: string, token: ShownToken): Html => html`<tr>
<th scope="row"><a href="${basePath}${TOKENS_PATH}${token.id}/"><code>${token.display}</code></a></th>
<td>${token.description}</td>
<td>${stateOf(token)}</td>
<td>${token.mayWrite ? translate('Read and write') : translate('Read only')}</td>
<td>${timestamp(token.created)}</td>
<td>${timestamp(token.expires) ?? translate('Never')}</td>
<td>${timestamp(token.lastUsed) ?? translate('Never')}</td>
<td>${token.allowedIps.join(', ') || translate('Any')}</td>
</tr>`

const stateOf = ({ isEnabled, hasExpired }: ShownToken): string => {
  if (hasExpired) return translate('Expired')
  return isEnabled ? translate('Enabled') : translate('Disabled')
}

/** A timestamp with minutes. */
const timestamp = (text: string | undefined): Content => (text === undefined ? undefined : timestampDisplay(text))
