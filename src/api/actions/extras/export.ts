import type { Base } from '../../../automation/python/questions/inventory-queries.ts'
import { render } from '../../../automation/templates/render.ts'
import { ApiError } from '../../../base/errors.ts'
import type { Actor } from '../../../identity/actor.ts'
import { mayAct, permittedRows, rowSecurityOf } from '../../../identity/permitted-rows.ts'
import type { Model } from '../../../schema/registry.ts'
import type { Service } from '../../../service.ts'
import { sql } from '../../../sql/fragment.ts'
import { table } from '../../../sql/table.ts'
import type { ApiRequest } from '../../api-request.ts'
import type { HttpResponse } from '../../response.ts'
import { renderParameters } from './rendered-config.ts'

interface ExportTemplate extends Record<string, unknown> {
  readonly template_code: string
  readonly environment_params: string | null
  readonly mime_type: string
  readonly file_name: string
  readonly file_extension: string
  readonly as_attachment: boolean
  readonly source: number | null
}

/**
 * `?export=name` on a collection: renders its objects with the export template of that name; all rows of `base` that
 * the user may view, without pages. Throws `notFound` for an unknown template.
 */
export async function exportObjects(
  { service, actor, signal }: Pick<ApiRequest, 'service' | 'actor' | 'signal'>,
  model: Model,
  base: Base,
  name: string,
): Promise<HttpResponse> {
  const template = await findTemplate(service, actor, model, name)
  if (!template) throw new ApiError({ kind: 'notFound', detail: 'Not found.' })
  const rendering = await render(service, {
    template: template.template_code,
    security: rowSecurityOf(actor, service.registry, service.settings),
    parameters: renderParameters(template.environment_params),
    source: template.source,
    querysets: { queryset: [model.name, base] },
    signal: signal(),
  })
  if ('error' in rendering) throw new ApiError({ kind: 'malformed', detail: rendering.error })
  return {
    status: 200,
    type: template.mime_type || 'text/plain; charset=utf-8',
    body: rendering.text,
    headers: template.as_attachment
      ? { 'Content-Disposition': `attachment; filename="${fileName(template, model)}"` }
      : {},
  }
}

async function findTemplate(
  service: Service,
  actor: Actor,
  model: Model,
  name: string,
): Promise<ExportTemplate | undefined> {
  const templates = service.registry.model('extras.exporttemplate')
  if (!mayAct(actor, 'view', templates, service.settings)) return undefined
  const permitted = permittedRows(actor, 'view', templates, service.settings)
  const [template] = await service.database.query<ExportTemplate>(sql`
    select t.template_code, t.environment_params, t.mime_type, t.file_name, t.file_extension,
      t.as_attachment, case when t.data_file_id is not null then t.data_source_id end as source
    from ${table('extras.exporttemplate')} t
    where t.name = ${name} and ${model.name} = any(t.object_types)
      ${permitted === 'all' ? sql`` : sql`and (${permitted})`}
    order by t.name, t.id limit 1`)
  return template
}

/** Only characters that cannot end the quoted text of the header. */
function fileName({ file_name, file_extension }: ExportTemplate, { definition }: Model): string {
  const [, plural] = definition.labels
  const name = file_name || `netbox_${plural}`
  const whole = file_extension === '' ? name : `${name}.${file_extension}`
  return whole.replaceAll(/[^\x20-\x7e]|["\\]/g, '_')
}
