import type { ApiRequest } from '../../api/api-request.ts'
import { removeMany } from '../../api/verbs/remove.ts'
import { requireUser } from '../../identity/require-user.ts'
import { restrictToOwn } from '../../identity/restrict-to-own.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { csrfField } from '../components/csrf-field.ts'
import { sending } from '../data/inner-request.ts'
import type { PageResponse } from '../frame/page-frame.ts'
import { seeOther } from '../frame/page-response.ts'
import { html } from '../html.ts'
import { objectRows } from '../lists/object-rows.ts'
import { translate } from '../texts/translate.ts'
import { accountPage } from './account-page.ts'

const LISTS = {
  bookmarks: {
    model: SYSTEM.bookmark,
    title: 'Bookmarks',
    none: 'You have no bookmarks. The button on the page of an object adds one.',
  },
  subscriptions: {
    model: SYSTEM.subscription,
    title: 'Subscriptions',
    none: 'You have no subscriptions. The button on the page of an object adds one.',
  },
} as const

/** GET and POST of the user's bookmarks or subscriptions: a list from which the checked ones are removed. */
export async function ownObjectsPage(request: ApiRequest, list: keyof typeof LISTS): Promise<PageResponse> {
  const { model: name, title, none } = LISTS[list]
  const model = request.service.registry.model(name)
  const ownerRequest = asOwner(request, model)
  if (request.method === 'POST') {
    const ids = await chosenIds(request)
    await removeMany(
      sending(
        ownerRequest,
        'DELETE',
        ids.map((id) => ({ id })),
      ),
      model,
    )
    return seeOther(`${request.service.settings.basePath}/user/${list}/`)
  }
  const { table, objects } = await objectRows(ownerRequest, model, {
    query: new URLSearchParams({ limit: '200' }),
    columns: ['object', 'object_type', 'created'],
    selectionForm: 'chosen',
    label: translate(title),
  })
  const content =
    objects.length === 0
      ? html`<p class="notice">${translate(none)}</p>`
      : html`<form id="chosen" method="post">${csrfField(request.csrfToken)}</form>${table}<div class="buttons"><button class="quiet" form="chosen">${translate('Remove selected')}</button></div>`
  return accountPage(request, list, { content })
}

/** The request with permissions only for the user's own objects, even for superusers. */
export const asOwner = (request: ApiRequest, model: Model): ApiRequest => ({
  ...request,
  actor: restrictToOwn(requireUser(request), model.name, request.service.registry),
})

/** Ids of the checked objects in a list, whose check boxes may stand for several. */
export async function chosenIds({ body }: ApiRequest): Promise<readonly number[]> {
  const values = (await body.form())?.get('id') ?? []
  return values
    .flatMap((text) => String(text).split(',').map(Number))
    .filter((id) => Number.isSafeInteger(id) && id > 0)
}
