import { ID } from '../../api/routes.ts'
import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { panel } from '../components/panel.ts'
import type { ObjectPart, RequestedObject } from '../frame/object-content.ts'
import { type Content, type Html, html } from '../html.ts'
import { objectRows } from '../lists/object-rows.ts'
import { codeBlock } from '../object-parts/code-block.ts'
import { changedFields, fieldChanges } from '../object-parts/field-changes.ts'
import { translate } from '../texts/translate.ts'
import { undoPage, WHOLE_REQUEST } from './undo-page.ts'

/** Changes of the same request that are listed with a change. */
const SHOWN = 50

/** A change field by field with its raw data, and the other changes of the request that made it. */
export const changePart: ObjectPart = {
  models: [SYSTEM.objectChange],
  pages: (routes) => [[`${ID}/undo/`, 'GET POST', undoPage(routes)]],
  load: async ({ request, model, object: record }) => {
    const [fields, { count, panel: otherChanges }] = await Promise.all([
      fieldChanges(request, [record]),
      changesOfRequest({ request, model, object: record }),
    ])
    return {
      actions: undoLinks({ request, model, object: record }, count),
      below: html`${panel(translate('Changed fields'), html`${changedFields(fields.get(Number(record.id)) ?? [])}${rawData(record)}`)}${otherChanges}`,
    }
  },
}

/** Links to the previews of undoing the change, and the request if it has made other changes. */
function undoLinks({ request: { service }, model, object: { id } }: RequestedObject, count: number): Content {
  const page = `${service.settings.basePath}${pagePathOf(model)}${Number(id)}/undo/`
  return html`<a class="button quiet" href="${page}">${translate('Undo this change')}</a>${count > 1 && html`<a class="button quiet" href="${page}?${WHOLE_REQUEST}">${translate('Undo all {count} changes', { count })}</a>`}`
}

/** The whole object before and after the change, as the record contains it. */
const rawData = ({ prechange_data: before, postchange_data: after }: JsonObject): Html =>
  html`<details class="raw-data"><summary>${translate('Raw data')}</summary>${rawSide(translate('Before'), before)}${rawSide(translate('After'), after)}</details>`

const rawSide = (title: string, data: Json | undefined): Content =>
  isJsonObject(data) &&
  Object.keys(data).length > 0 &&
  html`<h3>${title}</h3>${codeBlock(JSON.stringify(data, null, 2))}`

async function changesOfRequest({
  request,
  model,
  object: { request_id: id },
}: RequestedObject): Promise<{ readonly count: number; readonly panel: Content }> {
  const list = new URLSearchParams({ request_id: String(id) })
  const query = new URLSearchParams([...list, ['limit', String(SHOWN)]])
  const columns = ['time', 'action', 'changed_object_type', 'object_repr', 'message']
  const label = translate('Changes made together')
  const { table, count } = await objectRows(request, model, { query, columns, label })
  const href = `${request.service.settings.basePath}${pagePathOf(model)}?${list}`
  return {
    count,
    panel:
      count > 1 &&
      panel(
        label,
        html`${table}${count > SHOWN && html`<p><a href="${href}">${translate('All {count} changes', { count })}</a></p>`}`,
      ),
  }
}
