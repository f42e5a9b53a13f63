import type { ApiRequest } from '../../api/api-request.ts'
import { removeMany } from '../../api/verbs/remove.ts'
import { updateMany } from '../../api/verbs/update.ts'
import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { csrfField } from '../components/csrf-field.ts'
import type { FurtherColumns } from '../components/further-columns.ts'
import { sending } from '../data/inner-request.ts'
import { readList } from '../data/page-objects.ts'
import type { PageResponse } from '../frame/page-frame.ts'
import { seeOther } from '../frame/page-response.ts'
import { html } from '../html.ts'
import { objectRows } from '../lists/object-rows.ts'
import { translate } from '../texts/translate.ts'
import { accountPage } from './account-page.ts'
import { asOwner, chosenIds } from './own-objects.ts'

const isUnread = ({ read }: JsonObject): boolean => read === null

async function unreadIds(own: ApiRequest, model: Model): Promise<readonly number[]> {
  const { objects } = await readList(own, model, { query: new URLSearchParams({ limit: '0' }), paths: ['id', 'read'] })
  return objects.filter(isUnread).map(({ id }) => Number(id))
}

/** What a notification says beyond the name of its object, such as that a review is requested. */
const MESSAGE: FurtherColumns = {
  fields: [],
  get headings() {
    return [translate('Message')]
  },
  behind: 'object',
  load: async () => (notification) => {
    const { display, object } = notification
    const isName = isJsonObject(object) && object.display === display
    return { cells: [isName ? '' : html`<bdi>${String(display)}</bdi>`] }
  },
}

/**
 * GET and POST of the user's notifications: the selected ones, or all, are marked as read, or the selected ones are
 * removed.
 */
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
      const marked = action === 'read-all' ? await unreadIds(own, model) : ids
      await updateMany(
        sending(
          own,
          'PATCH',
          marked.map((id) => ({ id, read })),
        ),
        model,
      )
    }
    return seeOther(`${service.settings.basePath}/user/notifications/`)
  }
  const { table, objects } = await objectRows(own, model, {
    query: new URLSearchParams({ limit: '200' }),
    columns: ['object', 'event_type', 'created', 'read'],
    further: MESSAGE,
    selectionForm: 'chosen',
    label: translate('Notifications'),
  })
  const content =
    objects.length === 0
      ? html`<p class="notice">${translate('You have no notifications.')}</p>`
      : html`<form id="chosen" method="post">${csrfField(request.csrfToken)}</form>${table}
<div class="buttons">${objects.some(isUnread) && html`<button form="chosen" name="action" value="read-all">${translate('Mark all as read')}</button>`}<button class="quiet" form="chosen" name="action" value="read">${translate('Mark selected as read')}</button><button class="quiet" form="chosen" name="action" value="remove">${translate('Remove selected')}</button></div>`
  return accountPage(request, 'notifications', { content })
}
