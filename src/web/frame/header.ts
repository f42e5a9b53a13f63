import { csrfField } from '../components/csrf-field.ts'
import { type Content, type Html, html } from '../components/html.ts'
import type { PlainText } from '../texts/dictionaries.ts'
import { translate } from '../texts/translate.ts'
import { loginPath, type Page, type Viewer } from './page.ts'
import { staticUrl } from './static-files.ts'
import { THEMES } from './theme.ts'

/** The bar at the top of every page: start page, search, notifications, the user's menu. */
export const header = (page: Page): Html => html`<header class="top">
<a class="brand" href="${page.basePath}/"><img src="${staticUrl(page.basePath, 'icon.svg')}" alt="" width="24" height="24">Cadastre</a>
${page.isUnseen !== true && page.viewer !== undefined && searchBox(page)}
${page.isUnseen !== true && html`<div class="viewer">${page.viewer ? signedIn(page, page.viewer) : signedOut(page)}</div>`}
</header>`

const searchBox = ({ basePath }: Page): Html => html`<search class="search">
<form action="${basePath}/search/"><input type="search" name="q" placeholder="${translate('Search everything')}" aria-label="${translate('Search everything')}" aria-keyshortcuts="/" autocomplete="off"><kbd aria-hidden="true">${translate('Ctrl+K')}</kbd></form>
</search>`

/** Pages of the user's own, below `/user/`. */
export const ACCOUNT_PAGES = {
  profile: 'Profile',
  bookmarks: 'Bookmarks',
  notifications: 'Notifications',
  subscriptions: 'Subscriptions',
  preferences: 'Preferences',
  password: 'Change password',
  'api-tokens': 'API tokens',
} as const satisfies Readonly<Record<string, PlainText>>

function signedIn({ basePath, address, unread }: Page, { username, csrfToken }: Viewer): Content {
  if (csrfToken === undefined) return html`<span>${username}</span>`
  const token = csrfField(csrfToken)
  return html`<a class="bell" href="${basePath}/user/notifications/" aria-label="${translate('Notifications: {count} unread', { count: unread ?? 0 })}"><svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true"><path fill="currentColor" d="M12 22a2 2 0 0 0 2-2h-4a2 2 0 0 0 2 2Zm6-6V11a6 6 0 0 0-5-5.9V4a1 1 0 0 0-2 0v1.1A6 6 0 0 0 6 11v5l-2 2v1h16v-1Z"/></svg>${unread !== undefined && unread > 0 && html`<span class="unread">${unread > 99 ? '99+' : unread}</span>`}</a>
<details class="user-menu"><summary>${username}</summary><div>
<ul>${Object.entries(ACCOUNT_PAGES).map(([path, label]) => html`<li><a href="${basePath}/user/${path}/">${translate(label)}</a></li>`)}</ul>
<form class="themes" method="post" action="${basePath}/user/theme/">${token}<input type="hidden" name="next" value="${basePath}${address}">
<span class="muted">${translate('Theme')}</span>${Object.entries(THEMES).map(([name, label]) => html`<button class="quiet" name="theme" value="${name}">${translate(label)}</button>`)}</form>
<ul><li><a href="${basePath}/api/">API</a></li><li><a href="${basePath}/api/schema/swagger-ui/">${translate('API documentation')}</a></li></ul>
<form method="post" action="${basePath}/logout/">${token}<button class="quiet">${translate('Log out')}</button></form>
</div></details>`
}

const signedOut = ({ basePath, address }: Page): Html =>
  html`<nav aria-label="${translate('Documentation')}"><a href="${basePath}/api/">API</a> <a href="${basePath}/api/schema/swagger-ui/">${translate('Documentation')}</a></nav>
<a class="button" href="${loginPath(basePath, address)}">${translate('Log in')}</a>`
