import type { ApiRequest } from '../../api/api-request.ts'
import { removeMany } from '../../api/verbs/remove.ts'
import { updateMany } from '../../api/verbs/update.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { csrfField } from '../components/csrf-field.ts'
import { html } from '../components/html.ts'
import { sending } from '../frame/inner-request.ts'
import type { PageResponse } from '../frame/page-frame.ts'
import { objectRows } from '../lists/object-rows.ts'
import { translate } from '../texts/translate.ts'
import { accountPage } from './account-page.ts'
import { asOwner, chosenIds } from './own-objects.ts'
import { seeOther } from './page-response.ts'

/** GET and POST of the user's notifications; the chosen ones are marked as read or removed. */
export async function notificationsPage(request: ApiRequest): Promise<PageResponse> {
  const { service } = request
  const model = service.registry.model(SYSTEM.notification)
  const own = asOwner(request, model)
  if (request.method === 'POST') {
    const ids = await chosenIds(request)
    const action = (await request.body.form())?.get('action')?.at(-1)
    const read = new Date(service.clock.now()).toISOString()
    if (action === 'remove') {
      await removeMany(
        sending(
          own,
          'DELETE',
          ids.map((id) => ({ id })),
        ),
        model,
      )
    } else {
      await updateMany(
        sending(
          own,
          'PATCH',
          ids.map((id) => ({ id, read })),
        ),
        model,
      )
    }
    return seeOther(`${service.settings.basePath}/user/notifications/`)
  }
  const { table, objects } = await objectRows(own, model, {
    query: new URLSearchParams({ limit: '200' }),
    columns: ['object', 'event_type', 'created', 'read'],
    selectionForm: 'chosen',
    label: translate('Notifications'),
  })
  const content =
    objects.length === 0
      ? html`<p class="notice">${translate('You have no notifications.')}</p>`
      : html`<form id="chosen" method="post">${csrfField(request.csrfToken)}</form>${table}
<div class="buttons"><button form="chosen" name="action" value="read">${translate('Mark the selected as read')}</button><button class="quiet" form="chosen" name="action" value="remove">${translate('Remove the selected')}</button></div>`
  return accountPage(request, 'notifications', { content })
}
