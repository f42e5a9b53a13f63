import type { ApiRequest } from '../../api/api-request.ts'
import { sessionKeyOf } from '../../api/sessions/cookies.ts'
import { requireUser } from '../../identity/require-user.ts'
import { endOtherSessions, endSessionOf, sessionsOf } from '../../identity/session.ts'
import { csrfField } from '../components/csrf-field.ts'
import { attributesPanel, panel } from '../components/panel.ts'
import { booleanDisplay, timestampDisplay } from '../components/value.ts'
import { textIn } from '../forms/form-texts.ts'
import type { PageResponse } from '../frame/page-frame.ts'
import { seeOther } from '../frame/page-response.ts'
import { html } from '../html.ts'
import { translate, translateMarkup } from '../texts/translate.ts'
import { accountPage } from './account-page.ts'

/** GET of the user's profile and sessions; POST ends one of these, or all but the present one. */
export async function profilePage(request: ApiRequest): Promise<PageResponse> {
  const user = requireUser(request)
  const { service } = request
  const key = sessionKeyOf(request)
  if (request.method === 'POST') {
    const id = Number(textIn(await request.body.form(), 'end'))
    if (id > 0 && Number.isSafeInteger(id)) await endSessionOf(service, user.id, id)
    else if (key !== undefined) await endOtherSessions(service, user.id, key)
    return seeOther(`${service.settings.basePath}/user/profile/`)
  }
  const sessions = await sessionsOf(service, user.id, key)
  const content = html`<div class="panels">
<div>${attributesPanel(translate('User'), [
    { label: translate('User name'), value: user.username },
    { label: translate('Superuser'), value: booleanDisplay(user.isSuperuser) },
  ])}</div>
<div>${panel(
    translate('Sessions'),
    html`<form method="post">${csrfField(request.csrfToken)}<ul class="plain sessions">${sessions.map(
      ({ id, created, expires, browser, address, isCurrent }) =>
        html`<li><div><strong>${browserName(browser)}</strong>${address !== '' && html` <span class="muted">${address}</span>`}${isCurrent && html` <span class="badge green">${translate('this one')}</span>`}<br>
<span class="muted">${translateMarkup('Since {start}, until {end}', { start: timestampDisplay(created), end: timestampDisplay(expires) })}</span></div>${!isCurrent && html`<button class="quiet small" name="end" value="${id}" aria-label="${translate('End the session of {browser}, {address}', { browser: browserName(browser), address })}">${translate('End')}</button>`}</li>`,
    )}</ul>
${sessions.length > 1 && html`<div class="buttons"><button class="quiet" name="end" value="others">${translate('End all other sessions')}</button></div>`}</form>`,
  )}</div></div>`
  return accountPage(request, 'profile', { content })
}

/** Browsers and systems by a word in `User-Agent`; many browsers also name those after them. */
const BROWSERS = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
  ['curl/', 'curl'],
] as const
const SYSTEMS = [
  ['Windows', 'Windows'],
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
] as const

/** `Firefox on Linux`, by the browser's `User-Agent`. */
function browserName(agent: string): string {
  const nameIn = (list: readonly (readonly [string, string])[]) => list.find(([word]) => agent.includes(word))?.[1]
  const [browser, system] = [nameIn(BROWSERS), nameIn(SYSTEMS)]
  if (browser === undefined) return translate('Unknown browser')
  return system === undefined ? browser : translate('{browser} on {system}', { browser, system })
}
