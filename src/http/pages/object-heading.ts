import { mayAct } from '../../auth/permitted-rows.ts'
import { type Content, html } from '../../pages/html.ts'
import { titleOf } from '../../schema/class-name.ts'
import type { JsonObject } from '../../schema/json.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import type { ApiRequest } from '../api-request.ts'
import { contextText } from './object-names.ts'

/** Name, context and actions of an object: the head of its page and of its tabs. */
export async function objectHeading(
  request: ApiRequest,
  model: Model,
  object: JsonObject,
): Promise<Content> {
  const { context } = request.service.registry.view(model)
  const told = contextText(context, object)
  return html`<div class="heading"><div><p class="kind">${titleOf(model)}</p><h1><bdi>${String(object.display)}</bdi>${told !== '' && html` <small class="context"><bdi>${told}</bdi></small>`}</h1></div>${actionsOf(request, model, object)}</div>`
}

function actionsOf({ actor, service }: ApiRequest, model: Model, object: JsonObject): Content {
  const { settings } = service
  const page = `${settings.basePath}${pagePathOf(model)}${object.id}/`
  return html`<div class="actions">
${mayAct(actor, 'change', model, settings) && html`<a class="button" href="${page}edit/">Edit</a>`}
${mayAct(actor, 'delete', model, settings) && html`<a class="button quiet" href="${page}delete/">Delete</a>`}
<a class="button quiet" href="${settings.basePath}/api/${model.path}/${Number(object.id)}/">API</a>
</div>`
}
