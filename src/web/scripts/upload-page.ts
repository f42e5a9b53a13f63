import type { ApiRequest } from '../../api/api-request.ts'
import { ApiError } from '../../base/errors.ts'
import { mayAct, requirePermission } from '../../identity/permitted-rows.ts'
import { isJsonObject } from '../../schema/json.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { UploadedFile } from '../../schema/uploaded-file.ts'
import { csrfField } from '../components/csrf-field.ts'
import { shownPlural } from '../components/model-title.ts'
import { type ApiRoutes, askApi, jsonOf } from '../data/ask-api.ts'
import type { ModelPage, ModelPageRow } from '../frame/page-endpoint.ts'
import { sentenceOf } from '../frame/page-frame.ts'
import { seeOther } from '../frame/page-response.ts'
import { type Content, html } from '../html.ts'
import { translate } from '../texts/translate.ts'

/** The page on which a file of scripts is uploaded; no page of other models. */
export const scriptUploadPages = (model: Model, routes: ApiRoutes): readonly ModelPageRow[] =>
  model.name === SYSTEM.script ? [['add/', 'GET POST', uploadPage(routes)]] : []

/** The link to that page, for users who may upload files. */
export function scriptUploadLink({ actor, service }: ApiRequest, model: Model): Content {
  const modules = service.registry.model(SYSTEM.scriptModule)
  if (model.name !== SYSTEM.script || !mayAct(actor, 'add', modules, service.settings)) return undefined
  const page = `${service.settings.basePath}${pagePathOf(model)}add/`
  return html`<a class="button" data-key="c" href="${page}">${translate('Upload a file')}</a>`
}

/** GET and POST of `…/add/`, as in NetBox: leads to the scripts of the uploaded file. */
const uploadPage =
  (routes: ApiRoutes): ModelPage =>
  async (request, model) => {
    const { service, actor } = request
    requirePermission(actor, 'add', service.registry.model(SYSTEM.scriptModule), service.settings)
    const list = pagePathOf(model) ?? '/'
    let refusal: string | undefined
    if (request.method === 'POST') {
      const form = await request.body.form()
      const file = form?.get('file')?.find((entry) => entry instanceof UploadedFile)
      const name = form?.has('replace') && file ? `${encodeURIComponent(file.filename)}/` : ''
      try {
        const path = `extras/scripts/upload/${name}`
        const response = await askApi(routes, request, { path, method: name === '' ? 'POST' : 'PUT', body: { file } })
        const module = jsonOf(response)
        return seeOther(`${service.settings.basePath}${list}?module_id=${isJsonObject(module) ? module.id : ''}`)
      } catch (error) {
        if (!(error instanceof ApiError) || !['invalid', 'notFound'].includes(error.reason.kind)) throw error
        refusal = error.reason.kind === 'notFound' ? translate('There is no file of this name.') : sentenceOf(error)
      }
    }
    const title = translate('Upload scripts')
    return {
      title,
      model,
      status: refusal === undefined ? 200 : 400,
      styles: ['inputs.css', 'edit.css'],
      breadcrumbs: [
        { label: shownPlural(model), path: list },
        { label: title, path: `${list}add/` },
      ],
      body: html`<div class="heading"><h1>${title}</h1></div>
<form class="card entry" method="post" enctype="multipart/form-data" action="${service.settings.basePath}${list}add/">
${csrfField(request.csrfToken)}
${refusal !== undefined && html`<p class="notice bad" role="alert">${translate('Not saved.')} ${refusal}</p>`}
<label>${translate('File')} <input type="file" name="file" accept=".py" required></label>
<label><input type="checkbox" name="replace" value="true"> ${translate('Replace a file of the same name')}</label>
<p class="help">${translate('A file in Python. It is loaded at once, and its scripts can then be run.')}</p>
<div class="buttons"><button>${translate('Upload')}</button> <a class="button quiet" href="${service.settings.basePath}${list}">${translate('Cancel')}</a></div>
</form>`,
    }
  }
