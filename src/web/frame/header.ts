import { firstCharacters } from '../../schema/shortened.ts'
import { csrfField } from '../components/csrf-field.ts'
import { icon } from '../components/icon.ts'
import { type Content, type Html, html } from '../html.ts'
import { type Text, translate } from '../texts/translate.ts'
import { loginPath, type Page, type Viewer } from './page.ts'
import { staticUrl } from './static-files.ts'
import { DISPLAY, type DisplayChoices } from './theme.ts'

/** The bar at the top of every page: menu, start page, search, notifications, the user's menu. */
export const header = (page: Page, choices: DisplayChoices): Html => html`<header class="top">
${page.menu !== undefined && html`<button class="icon-button menu-button" type="button" aria-label="${translate('Menu')}" title="${translate('Menu')}" hidden>${icon('menu')}</button>`}
<a class="brand" href="${page.basePath}/" aria-label="Cadastre"><img src="${staticUrl(page.basePath, 'icon.svg')}" alt="" width="22" height="22"><span>Cadastre</span></a>
${page.isUnseen !== true && page.viewer !== undefined && searchBox(page)}
${page.isUnseen !== true && html`<div class="viewer">${page.branchMenu}${page.viewer ? signedIn(page, page.viewer, choices) : signedOut(page)}</div>`}
</header>`

/** Parameter of a search that opens the object if it means only one. */
export const OPENS_OBJECT = 'go'

const searchBox = ({ basePath }: Page): Html => html`<search class="search">
<form action="${basePath}/search/">${icon('search')}<input type="search" name="q" placeholder="${translate('Search or jump to…')}" aria-label="${translate('Search everything')}" aria-keyshortcuts="/" autocomplete="off"><kbd aria-hidden="true">${translate('Ctrl+K')}</kbd><input type="hidden" name="${OPENS_OBJECT}" value="1"></form>
</search>`

/** The user's own pages, below `/user/`. */
export const ACCOUNT_PAGES = {
  profile: 'Profile',
  bookmarks: 'Bookmarks',
  notifications: 'Notifications',
  subscriptions: 'Subscriptions',
  preferences: 'Preferences',
  password: 'Change password',
  'second-factor': 'Second factor',
  'api-tokens': 'API tokens',
} as const satisfies Readonly<Record<string, Text>>

/** Pages with which people begin, below the base path. */
export const START = {
  steps: '/start/',
  netBox: '/start/netbox/',
  sample: '/start/sample/',
  tutorial: '/start/tutorial/',
} as const

/** Help for people who begin, and for all others. Hidden links are found by the search only, by these words too. */
const helpLinks = (basePath: string, { isSuperuser }: Viewer): Html => {
  const link = (path: string, label: string, words: string): Html =>
    html`<li><a href="${basePath}${path}" data-words="${words}">${label}</a></li>`
  return html`<ul>${link('/docs/', translate('Guides'), 'guides documentation docs manual help')}${link(START.steps, translate('First steps'), 'first steps start here help')}</ul>
<ul hidden>${link(START.tutorial, translate('Tutorial'), 'tutorial help')}${
    isSuperuser &&
    html`${link(START.netBox, translate('Import from NetBox'), 'import from netbox')}${link(START.sample, translate('Sample network'), 'sample network demo')}`
  }</ul>`
}

function signedIn({ basePath, address, unread }: Page, viewer: Viewer, choices: DisplayChoices): Content {
  const { username, csrfToken } = viewer
  if (csrfToken === undefined) return html`<span>${username}</span>`
  const token = csrfField(csrfToken)
  const chooser = (name: keyof typeof DISPLAY, title: string): Content =>
    html`<form class="themes" method="post" action="${basePath}/user/theme/">${token}<input type="hidden" name="next" value="${basePath}${address}">
<span class="muted">${title}</span>${Object.entries(DISPLAY[name]).map(([value, label]) => html`<button class="quiet" name="${name}" value="${value}" aria-pressed="${value === choices[name] ? 'true' : 'false'}">${translate(label)}</button>`)}</form>`
  const notifications = translate('Notifications: {count} unread', { count: unread ?? 0 })
  return html`<button class="icon-button shortcuts-button" type="button" aria-label="${translate('Keyboard shortcuts')}" title="${translate('Keyboard shortcuts')}" hidden>${icon('help')}</button>
<a class="icon-button bell" href="${basePath}/user/notifications/" aria-label="${notifications}" title="${notifications}">${icon('bell')}${unread !== undefined && unread > 0 && html`<span class="unread">${unread > 99 ? '99+' : unread}</span>`}</a>
<details class="user-menu"><summary title="${username}"><span class="avatar" aria-hidden="true">${firstCharacters(username, 1)}</span><span>${username}</span></summary><div>
<ul>${Object.entries(ACCOUNT_PAGES).map(([path, label]) => html`<li><a href="${basePath}/user/${path}/">${translate(label)}</a></li>`)}</ul>
${helpLinks(basePath, viewer)}
${chooser('theme', translate('Theme'))}${chooser('density', translate('Row height'))}
<ul><li><a href="${basePath}/api/">API</a></li><li><a href="${basePath}/api/schema/swagger-ui/">${translate('API documentation')}</a></li></ul>
<form method="post" action="${basePath}/logout/">${token}<button class="quiet">${translate('Log out')}</button></form>
</div></details>`
}

const signedOut = ({ basePath, address }: Page): Html =>
  html`<nav aria-label="${translate('Documentation')}"><a href="${basePath}/api/">API</a> <a href="${basePath}/docs/">${translate('Documentation')}</a></nav>
<a class="button" href="${loginPath(basePath, address)}">${translate('Log in')}</a>`
