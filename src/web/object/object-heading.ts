import { type Content, html } from '../components/html.ts'
import { shownTitle } from '../components/model-title.ts'
import { contextText } from '../components/object-names.ts'
import type { RequestedObject } from './object-content.ts'

/** Kind, name and context of an object, as the heading of its pages. */
export function objectTitle({ request: { service }, model, object }: RequestedObject): Content {
  const { context } = service.registry.view(model)
  const text = contextText(context, object)
  return html`<div><p class="kind">${shownTitle(model)}</p><h1><bdi>${String(object.display)}</bdi>${text !== '' && html` <small class="context"><bdi>${text}</bdi></small>`}</h1></div>`
}

/** The head of the pages that change an object. */
export const objectHeading = (page: RequestedObject): Content => html`<div class="heading">${objectTitle(page)}</div>`
