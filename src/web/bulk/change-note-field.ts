import type { ApiRequest } from '../../api/api-request.ts'
import type { Model } from '../../schema/registry.ts'
import { controlView } from '../components/control.ts'
import { type Html, html } from '../components/html.ts'
import { messageControl } from '../forms/message-control.ts'
import { translate } from '../texts/translate.ts'

/** A field for the reason of a deletion of objects of the model, for the change log. */
export const changeNoteField = (request: ApiRequest, model: Model, value: string): Html =>
  html`<div class="card fields">${controlView(
    messageControl(request, model, {
      help: translate('Why these are deleted, for the change log.'),
      value,
    }),
    'delete',
  )}</div>`
