import type { ApiRequest } from '../../api/api-request.ts'
import { ApiError } from '../../base/errors.ts'
import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import { type ApiRoutes, askApi, jsonOf, refusalIn } from '../data/ask-api.ts'
import { sentenceOf } from '../frame/page-frame.ts'
import { translate } from '../texts/translate.ts'

/** A configuration and its template. */
export interface RenderedConfiguration {
  readonly template: JsonObject | undefined
  readonly text: string
}

/** The object's configuration, or a sentence that says why there is none. `template`: id of another template than its own. */
export async function renderConfiguration(
  routes: ApiRoutes,
  request: ApiRequest,
  model: Model,
  { id, template }: { readonly id: number; readonly template?: string },
): Promise<RenderedConfiguration | string> {
  try {
    const response = await askApi(routes, request, {
      path: `${model.path}/${id}/render-config/`,
      method: 'POST',
      body: template === undefined ? {} : { config_template_id: template },
    })
    const refusal = refusalIn(response)
    if (refusal !== undefined) return refusal
    const document = jsonOf(response)
    if (!isJsonObject(document)) throw new Error('No object')
    const used = document.configtemplate
    return { template: isJsonObject(used) ? used : undefined, text: String(document.content) }
  } catch (error) {
    return problemIn(error)
  }
}

/** The message for an error in the template, or for an object that did not exist yet. Throws all other errors. */
function problemIn(error: unknown): string {
  if (!(error instanceof ApiError)) throw error
  if (error.reason.kind === 'malformed') return sentenceOf(error)
  if (error.reason.kind === 'notFound') return translate('The object did not exist then.')
  throw error
}
