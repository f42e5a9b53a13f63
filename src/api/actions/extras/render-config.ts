import { invalid } from '../../../base/errors.ts'
import { mayAct, permittedRows } from '../../../identity/permitted-rows.ts'
import { projectionOf } from '../../../read/serialise/projection.ts'
import { fetchObjects } from '../../../read/serialise/read-objects.ts'
import { committedData } from '../../../read/serialise/read-source.ts'
import { isJsonObject, type JsonObject, parseJson } from '../../../schema/json.ts'
import { sql } from '../../../sql/fragment.ts'
import { table } from '../../../sql/table.ts'
import type { ApiRequest } from '../../api-request.ts'
import { type HttpResponse, jsonResponse } from '../../response.ts'
import { type Action, schema } from '../action.ts'
import { findTarget } from '../target.ts'
import {
  type ConfigTemplate,
  FORMAT_PARAMETER,
  RENDERED_CONFIG,
  renderedResponse,
  TEMPLATE_COLUMNS,
} from './rendered-config.ts'

/** The object's own template, otherwise that of its role, otherwise that of its platform. */
const TEMPLATE = sql`, coalesce(
  t.config_template_id,
  (select r.config_template_id from ${table('dcim.devicerole')} r where r.id = t.role_id),
  (select p.config_template_id from ${table('dcim.platform')} p where p.id = t.platform_id)
) as template`

async function renderConfig(request: ApiRequest, model: string): Promise<HttpResponse> {
  // Both permissions are required, and each may cover different objects.
  await findTarget(request, model, { permission: 'render_config' })
  const { id, template: ownTemplate } = await findTarget<{ template: number | null }>(request, model, {
    columns: TEMPLATE,
  })
  const body = (await request.body.read('exact')) ?? {}
  if (!isJsonObject(body)) {
    throw invalid({
      non_field_errors: ['Expected an object with the values for the template.'],
    })
  }
  const { config_template_id: templateId, ...parameters } = body
  const [, name = ''] = model.split('.')
  // Any present value counts, so 0 and '' do not select the object's own template.
  if (!templateId && ownTemplate === null) {
    return jsonResponse(400, { error: `No config template found for this ${name}.` })
  }
  const template = await findTemplate(request, templateId ? templateId : ownTemplate, Boolean(templateId))
  if (!template) return jsonResponse(400, { error: `Config template with ID ${templateId} not found.` })
  const context = { ...(await contextOf(request, model, id)), ...parameters }
  return await renderedResponse(request, template, { context, objects: { [name]: [model, id] } })
}

/** The user must be allowed to view a requested template. */
async function findTemplate(
  { service, actor }: ApiRequest,
  id: unknown,
  isAskedFor: boolean,
): Promise<ConfigTemplate | undefined> {
  const model = service.registry.model('extras.configtemplate')
  if (!/^\d{1,15}$/.test(String(id))) return undefined
  if (isAskedFor && !mayAct(actor, 'view', model, service.settings)) return undefined
  const permitted = isAskedFor ? permittedRows(actor, 'view', model, service.settings) : 'all'
  const [template] = await service.database.query<ConfigTemplate>(sql`
    select t.id ${TEMPLATE_COLUMNS} from ${table('extras.configtemplate')} t
    where t.id = ${String(id)}::bigint ${permitted === 'all' ? sql`` : sql`and (${permitted})`}`)
  return template
}

/** The merged config context, as in a response. */
async function contextOf({ service }: ApiRequest, name: string, id: number): Promise<JsonObject> {
  const projection = projectionOf(service, service.registry.model(name), {
    fields: ['config_context'],
    brief: false,
    excludeContext: false,
  })
  const texts = await fetchObjects(committedData(service), [id], projection, '')
  const object: unknown = parseJson(texts.get(id) ?? '{}')
  const context = isJsonObject(object) ? object.config_context : undefined
  return isJsonObject(context) ? context : {}
}

const renderAction = (path: string, model: string, title: string): Action => ({
  path: `${path}/:id/render-config`,
  title,
  offersText: true,
  methods: {
    POST: {
      permission: { view: model, render_config: model },
      parameters: [FORMAT_PARAMETER],
      body: schema('RenderConfigInputRequest'),
      answer: schema('RenderedConfig'),
      isReading: true,
      handle: (request) => renderConfig(request, model),
    },
  },
  schemas: {
    RenderedConfig: RENDERED_CONFIG,
    RenderConfigInputRequest: {
      type: 'object',
      properties: { config_template_id: { type: 'integer' } },
      additionalProperties: true,
    },
  },
})

export const renderConfigActions: readonly Action[] = [
  renderAction('dcim/devices', 'dcim.device', 'Device'),
  renderAction('virtualization/virtual-machines', 'virtualization.virtualmachine', 'Virtual Machine'),
]
