import { html, trusted } from '../../../pages/html.ts'
import { bodyText } from '../../response.ts'
import { readOne } from '../inner-request.ts'
import { type ApiRoutes, askApi } from './ask-api.ts'
import { objectFrame } from './object-frame.ts'
import type { ModelPage } from './routes.ts'

/** GET of `…/<id>/trace/`: the path from the object as a drawing whose parts are links. */
export const traceTab =
  (routes: ApiRoutes): ModelPage =>
  async (frame, request, model) => {
    const { object } = await readOne(request, model)
    const path = `${model.path}/${object.id}/trace/`
    const query = new URLSearchParams({ render: 'svg', width: '520' })
    const isConnected = object.cable !== null || object.wireless_link != null
    const body = isConnected
      ? inlineDrawing(bodyText(await askApi(routes, request, { path, query })))
      : html`<p class="notice">Nothing is connected.</p>`
    return await objectFrame(frame, request, model, object, {
      path: 'trace',
      label: 'Trace',
      body,
      styles: ['drawings.css'],
    })
  }

/**
 * A drawing of the API within a page: the page's own style sheet colours it, so that its theme holds, and its links are those of a
 * group, not of an image.
 */
export const inlineDrawing = (svg: string) => {
  const drawing = svg.replace(/<style>.*?<\/style>/s, '').replace(' role="img"', ' role="group"')
  return html`<div class="drawing scroll" tabindex="0" role="region" aria-label="Drawing">${trusted(drawing)}</div>`
}
