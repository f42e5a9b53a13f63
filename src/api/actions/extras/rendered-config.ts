import { type RenderJob, render } from '../../../automation/templates/render.ts'
import { ApiError } from '../../../base/errors.ts'
import { rowSecurityOf } from '../../../identity/permitted-rows.ts'
import type { JsonObject } from '../../../schema/json.ts'
import { isJsonObject, parseJson } from '../../../schema/json.ts'
import { sql } from '../../../sql/fragment.ts'
import type { ApiRequest } from '../../api-request.ts'
import { type HttpResponse, okResponse } from '../../response.ts'
import { wantsText } from '../../transport/negotiate.ts'
import { schema } from '../action.ts'
import { nestedText } from '../nested.ts'

/** A config template, as stored. */
export interface ConfigTemplate extends Record<string, unknown> {
  readonly id: number
  readonly template_code: string
  /** JSON text. */
  readonly environment_params: string | null
  readonly debug: boolean
  /** Data source of the template's file. */
  readonly source: number | null
}

/** Columns of `ConfigTemplate` over alias `t` except the id, with a leading comma. */
export const TEMPLATE_COLUMNS = sql`, t.template_code, t.environment_params, t.debug,
  case when t.data_file_id is not null then t.data_source_id end as source`

/** Response with a rendered config template: plain text, or an object with the text. */
export async function renderedResponse(
  request: ApiRequest,
  template: ConfigTemplate,
  names: Pick<RenderJob, 'context' | 'objects'>,
): Promise<HttpResponse> {
  const { service } = request
  const parameters = renderParameters(template.environment_params)
  const rendering = await render(service, {
    template: template.template_code,
    security: rowSecurityOf(request.actor, service.registry, service.settings),
    // Configurations are not HTML, whatever the parameters request.
    parameters: { ...parameters, autoescape: false },
    source: template.source,
    debug: template.debug,
    signal: request.signal(),
    ...names,
  })
  if ('error' in rendering) throw new ApiError({ kind: 'malformed', detail: rendering.error })
  if (wantsText(request)) {
    return { status: 200, type: 'text/plain; charset=utf-8', body: rendering.text }
  }
  const nested = await nestedText(request, 'extras.configtemplate', template.id)
  return okResponse(`{"configtemplate":${nested},"content":${JSON.stringify(rendering.text)}}`)
}

/** Parameters of Jinja's environment from the JSON text of a template's column. */
export function renderParameters(text: string | null): JsonObject {
  const parameters: unknown = text === null ? {} : parseJson(text)
  return isJsonObject(parameters) ? parameters : {}
}

/** The parameter that selects the format of a rendering, in OpenAPI's form. */
export const FORMAT_PARAMETER = {
  in: 'query',
  name: 'format',
  schema: { type: 'string', enum: ['json', 'txt'] },
}
export const RENDERED_CONFIG = {
  type: 'object',
  properties: {
    configtemplate: { allOf: [schema('BriefConfigTemplate')], readOnly: true },
    content: { type: 'string', readOnly: true },
  },
  required: ['configtemplate', 'content'],
}
