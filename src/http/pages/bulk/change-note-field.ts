import { controlView } from '../../../pages/control.ts'
import { type Html, html } from '../../../pages/html.ts'
import type { Model } from '../../../schema/registry.ts'
import { translate } from '../../../texts/translate.ts'
import type { ApiRequest } from '../../api-request.ts'
import { messageControl } from '../message-control.ts'

/** A field for the reason of a deletion of objects of the model, for the change log. */
export const changeNoteField = (request: ApiRequest, model: Model, value: string): Html =>
  html`<div class="card fields">${controlView(
    messageControl(request, model, {
      help: translate('Why these are deleted, for the change log.'),
      value,
    }),
    'delete',
  )}</div>`
