import type { ApiRequest } from '../../api/api-request.ts'
import { bodyText } from '../../api/response.ts'
import { ID } from '../../api/routes.ts'
import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import { picturesOf } from '../browse/pictures.ts'
import type { Content } from '../components/html.ts'
import { html } from '../components/html.ts'
import { panel } from '../components/panel.ts'
import { translate, translateLabel } from '../texts/translate.ts'
import { type ApiRoutes, askApi } from './ask-api.ts'
import type { PartOfPage } from './page-parts.ts'
import { inlineDrawing } from './trace-tab.ts'

/** The drawings that the API has of an object, such as the faces of a rack; those of paths have a tab. */
export async function drawingsOf(
  routes: ApiRoutes,
  request: ApiRequest,
  model: Model,
  object: JsonObject,
): Promise<PartOfPage> {
  const actions = routes.find(`/api/${model.path}/${ID}/`)?.endpoint.actions ?? []
  const pictures = picturesOf(request, { model, actions }, object).filter(
    ({ path }) => !path.includes('/trace/'),
  )
  if (pictures.length === 0) return drawn(await cablePath(routes, request, object))
  const figures = await Promise.all(
    pictures.map(async ({ label, path }) => {
      const [address = '', query] = path
        .slice(`${request.service.settings.basePath}/api/`.length)
        .split('?')
      const answer = await askApi(routes, request, {
        path: address,
        query: new URLSearchParams(query),
      })
      return html`<figure><figcaption>${translateLabel(label)}</figcaption>${inlineDrawing(bodyText(answer))}</figure>`
    }),
  )
  return drawn(panel('', html`<div class="elevations">${figures}</div>`))
}

const drawn = (beside: Content): PartOfPage => ({ beside, styles: ['drawings.css'] })

/** The path that leads through a cable, from the first of its ends at which one can begin. */
async function cablePath(
  routes: ApiRoutes,
  request: ApiRequest,
  { a_terminations: a, b_terminations: b }: JsonObject,
): Promise<Content> {
  const ends = [a, b].flatMap((each) => (Array.isArray(each) ? each : []))
  for (const end of ends) {
    const url = isJsonObject(end) && isJsonObject(end.object) ? String(end.object.url) : ''
    const path = `${url.slice(request.base.length + '/api/'.length)}trace/`
    if (url === '' || !routes.find(`/api/${path}`)?.endpoint.isTrace) continue
    const query = new URLSearchParams({ render: 'svg', width: '480' })
    const answer = await askApi(routes, request, { path, query })
    return panel(translate('Path'), inlineDrawing(bodyText(answer)))
  }
  return undefined
}
