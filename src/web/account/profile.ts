import type { ApiRequest } from '../../api/api-request.ts'
import { sessionKeyOf } from '../../api/sessions/cookies.ts'
import { requireUser } from '../../identity/require-user.ts'
import { endOtherSessions, sessionsOf } from '../../identity/session.ts'
import { csrfField } from '../components/csrf-field.ts'
import { attributesPanel, panel } from '../components/panel.ts'
import { booleanDisplay, timestampDisplay } from '../components/value.ts'
import type { PageResponse } from '../frame/page-frame.ts'
import { seeOther } from '../frame/page-response.ts'
import { html } from '../html.ts'
import { translate, translateMarkup } from '../texts/translate.ts'
import { accountPage } from './account-page.ts'

/** GET of the user's profile and sessions; POST ends all other sessions. */
export async function profilePage(request: ApiRequest): Promise<PageResponse> {
  const user = requireUser(request)
  const { service } = request
  const key = sessionKeyOf(request)
  if (request.method === 'POST') {
    if (key !== undefined) await endOtherSessions(service, user.id, key)
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
    html`<ul class="plain">${sessions.map(
      ({ created, expires, isCurrent }) =>
        html`<li>${translateMarkup('Since {start}, until {end}', { start: timestampDisplay(created), end: timestampDisplay(expires) })}${isCurrent && html` <strong>${translate('this one')}</strong>`}</li>`,
    )}</ul>
<form method="post">${csrfField(request.csrfToken)}<div class="buttons"><button class="quiet">${translate('End all other sessions')}</button></div></form>`,
  )}</div></div>`
  return accountPage(request, 'profile', { content })
}
