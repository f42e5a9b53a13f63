import type { ApiRequest } from '../../api/api-request.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import { type Content, html } from '../components/html.ts'
import { shownTitle } from '../components/model-title.ts'
import { contextText } from '../components/object-names.ts'

/** Kind, name and context of an object, as the heading of its pages. */
export function objectTitle({ service }: ApiRequest, model: Model, object: JsonObject): Content {
  const { context } = service.registry.view(model)
  const text = contextText(context, object)
  return html`<div><p class="kind">${shownTitle(model)}</p><h1><bdi>${String(object.display)}</bdi>${text !== '' && html` <small class="context"><bdi>${text}</bdi></small>`}</h1></div>`
}

/** The head of the pages that change an object. */
export const objectHeading = (request: ApiRequest, model: Model, object: JsonObject): Content =>
  html`<div class="heading">${objectTitle(request, model, object)}</div>`
