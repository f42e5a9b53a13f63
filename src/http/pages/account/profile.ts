import { requireUser } from '../../../auth/require-user.ts'
import { endOtherSessions, sessionsOf } from '../../../auth/session.ts'
import { html } from '../../../pages/html.ts'
import { attributesPanel, panel } from '../../../pages/objects/panel.ts'
import { booleanDisplay, momentDisplay } from '../../../pages/objects/value.ts'
import { translateMarkup } from '../../../pages/translate-markup.ts'
import { translate } from '../../../texts/translate.ts'
import type { ApiRequest } from '../../api-request.ts'
import type { HttpResponse } from '../../response.ts'
import { sessionKeyOf } from '../../sessions/cookies.ts'
import { seeOther } from '../../sessions/page-answer.ts'
import type { PageFrame } from '../page-frame.ts'
import { accountPage, csrfInput } from './account-page.ts'

/** GET of who one is and which sessions one has; POST ends all other sessions. */
export async function profilePage(frame: PageFrame, request: ApiRequest): Promise<HttpResponse> {
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
        html`<li>${translateMarkup('Since {start}, until {end}', { start: momentDisplay(created), end: momentDisplay(expires) })}${isCurrent && html` <strong>${translate('this one')}</strong>`}</li>`,
    )}</ul>
<form method="post">${csrfInput(request)}<div class="buttons"><button class="quiet">${translate('End all other sessions')}</button></div></form>`,
  )}</div></div>`
  return await accountPage(frame, request, 'profile', { content })
}
