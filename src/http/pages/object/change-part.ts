import { type Content, html } from '../../../pages/html.ts'
import { changedFields } from '../../../pages/object/change-view.ts'
import { panel } from '../../../pages/objects/panel.ts'
import type { JsonObject } from '../../../schema/json.ts'
import { pagePathOf } from '../../../schema/page-path.ts'
import type { Model } from '../../../schema/registry.ts'
import type { ApiRequest } from '../../api-request.ts'
import { objectRows } from '../object-rows.ts'
import { fieldChanges } from './field-changes.ts'

/** Changes of the same request that are listed with a change. */
const SHOWN = 50

/** A change field by field, and the other changes of the request that made it. */
export async function changePart(
  request: ApiRequest,
  model: Model,
  record: JsonObject,
): Promise<Content> {
  const [fields, others] = await Promise.all([
    fieldChanges(request, [record]),
    changesOfRequest(request, model, record),
  ])
  return html`${panel('Changed Fields', changedFields(fields.get(Number(record.id)) ?? []))}${others}`
}

async function changesOfRequest(
  request: ApiRequest,
  model: Model,
  { request_id: id }: JsonObject,
): Promise<Content> {
  const list = new URLSearchParams({ request_id: String(id) })
  const query = new URLSearchParams([...list, ['limit', String(SHOWN)]])
  const columns = ['time', 'action', 'changed_object_type', 'object_repr', 'message']
  const label = 'All Changes of This Request'
  const { table, count } = await objectRows(request, model, { query, columns, label })
  const href = `${request.service.settings.basePath}${pagePathOf(model)}?${list}`
  return (
    count > 1 &&
    panel(
      label,
      html`${table}${count > SHOWN && html`<p><a href="${href}">All ${count} changes</a></p>`}`,
    )
  )
}
