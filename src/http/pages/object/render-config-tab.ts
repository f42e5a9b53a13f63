import { ApiError } from '../../../errors.ts'
import { type Content, html } from '../../../pages/html.ts'
import { codeView } from '../../../pages/object/code-view.ts'
import {
  comparisonForm,
  comparisonView,
  OTHER_TEXT,
} from '../../../pages/object/comparison-view.ts'
import { panel } from '../../../pages/objects/panel.ts'
import { linkToObject } from '../../../pages/objects/value.ts'
import { translateMarkup } from '../../../pages/translate-markup.ts'
import { isJsonObject, type JsonObject } from '../../../schema/json.ts'
import type { Model } from '../../../schema/registry.ts'
import { translate } from '../../../texts/translate.ts'
import { type ApiRequest, lastValue } from '../../api-request.ts'
import type { HttpResponse } from '../../response.ts'
import { displayOptionsOf } from '../display-options.ts'
import { readOne } from '../inner-request.ts'
import { sentenceOf } from '../page-frame.ts'
import { textIn } from '../submitted-texts.ts'
import { type ApiRoutes, askApi, jsonOf, refusalIn } from './ask-api.ts'
import { objectFrame } from './object-frame.ts'
import type { ModelPage } from './routes.ts'

interface Rendered {
  readonly template: JsonObject | undefined
  readonly text: string
}

/** GET of `…/<id>/render-config/`: the object's configuration as text; with `download`, as a file. */
export const renderConfigTab =
  (routes: ApiRoutes): ModelPage =>
  async (frame, request, model) => {
    const { object } = await readOne(request, model)
    const rendered = await render(routes, request, model, object)
    if (typeof rendered !== 'string' && lastValue(request.search, 'download') !== undefined) {
      return download(object, rendered.text)
    }
    const body =
      typeof rendered === 'string'
        ? html`<p class="notice warn">${rendered}</p>`
        : html`${panel(translate('Rendered configuration'), await renderedView(request, rendered))}${panel(translate('Compare'), await comparison(request, rendered))}`
    return await objectFrame(frame, request, model, object, {
      path: 'render-config',
      label: translate('Render config'),
      body,
      scripts: ['copy.js'],
    })
  }

/** The form for another text, and once that was sent its lines beside those of the rendered one. */
async function comparison(request: ApiRequest, { text }: Rendered): Promise<Content> {
  const form = request.method === 'POST' ? await request.body.form() : undefined
  const other = form ? textIn(form, OTHER_TEXT) : ''
  return html`${comparisonForm(request.csrfToken, other)}${other !== '' && comparisonView(other, text)}`
}

/** The rendered configuration, or why there is none. */
async function render(
  routes: ApiRoutes,
  request: ApiRequest,
  model: Model,
  object: JsonObject,
): Promise<Rendered | string> {
  try {
    const path = `${model.path}/${object.id}/render-config/`
    const answer = await askApi(routes, request, { path, method: 'POST', body: {} })
    const refusal = refusalIn(answer)
    if (refusal !== undefined) return refusal
    const document = jsonOf(answer)
    if (!isJsonObject(document)) throw new Error('No object')
    const template = document.configtemplate
    return {
      template: isJsonObject(template) ? template : undefined,
      text: String(document.content),
    }
  } catch (error) {
    // An error in the template is something to be read on this page.
    if (!(error instanceof ApiError) || error.reason.kind !== 'malformed') throw error
    return sentenceOf(error)
  }
}

async function renderedView(request: ApiRequest, { template, text }: Rendered): Promise<Content> {
  const around = await displayOptionsOf(request, [])
  return html`${template && html`<p>${translateMarkup('Template: {template}', { template: linkToObject(template, around) })}</p>`}${codeView(text, '?download=1')}`
}

const download = ({ display }: JsonObject, text: string): HttpResponse => ({
  status: 200,
  type: 'text/plain; charset=utf-8',
  body: text,
  headers: {
    'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(`${display}.txt`)}`,
    'Cache-Control': 'no-store',
  },
})
