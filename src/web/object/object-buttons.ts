import type { ApiRequest } from '../../api/api-request.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
import type { JsonObject } from '../../schema/json.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { type Content, html } from '../components/html.ts'
import { offersMethod } from '../components/offered-methods.ts'
import { translate } from '../texts/translate.ts'
import { cloneQuery } from './clone.ts'
import { customLinksLink } from './custom-links.ts'
import { markForms } from './marks.ts'

/** Buttons of an object's pages: edit, clone, custom links, bookmark, subscribe, delete, its JSON. */
export async function objectButtons(
  request: ApiRequest,
  model: Model,
  object: JsonObject,
  further: Content,
): Promise<Content> {
  const { actor, service } = request
  const { settings } = service
  const may = (action: 'add' | 'change' | 'delete') => mayAct(actor, action, model, settings)
  const list = `${settings.basePath}${pagePathOf(model)}`
  const page = `${list}${object.id}/`
  const clone =
    offersMethod(model, 'POST') && may('add') ? await cloneQuery(service, model, object) : undefined
  return html`<div class="actions">
${offersMethod(model, 'PATCH') && may('change') && html`<a class="button" href="${page}edit/">${translate('Edit')}</a>`}
${clone && html`<a class="button quiet" href="${list}add/?${String(clone)}">${translate('Clone')}</a>`}
${further}
${await customLinksLink(request, model, page)}
${await markForms(request, model, object)}
${offersMethod(model, 'DELETE') && may('delete') && html`<a class="button quiet" href="${page}delete/">${translate('Delete')}</a>`}
<a class="button quiet" href="${settings.basePath}/api/${model.path}/${Number(object.id)}/">API</a>
</div>`
}
