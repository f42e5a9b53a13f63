import type { ApiRequest } from '../../api/api-request.ts'
import type { JsonObject } from '../../schema/json.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { type Content, html } from '../components/html.ts'
import { shownPlural } from '../components/model-title.ts'
import { panel } from '../components/panel.ts'
import { objectRows } from '../lists/object-rows.ts'
import { translate, translateLabel } from '../texts/translate.ts'
import { columnsOfChildren, listOfChildren } from './children.ts'
import type { ListCounts } from './count-lists.ts'

/** Rows of a table within an object's page. */
const ROWS = 10

/** The tables of the object's view that have rows, each with a link to the whole list. */
export async function childTables(
  request: ApiRequest,
  model: Model,
  object: JsonObject,
  counts: ListCounts,
): Promise<readonly Content[]> {
  const { registry, settings } = request.service
  const { tables = [] } = registry.view(model)
  return await Promise.all(
    tables.map(async (children): Promise<Content> => {
      const list = listOfChildren(registry, children, object)
      const count = counts(list)
      if (count === 0) return undefined
      const label =
        children.label === undefined ? shownPlural(list.model) : translateLabel(children.label)
      const query = new URLSearchParams(list.query)
      query.set('limit', String(ROWS))
      const columns = columnsOfChildren(registry, children)
      const { table } = await objectRows(request, list.model, { query, columns, count, label })
      const href = `${settings.basePath}${pagePathOf(list.model)}?${list.query}`
      return panel(
        label,
        html`${table}${count > ROWS && html`<p><a href="${href}">${translate('All {count} {objects}', { count, objects: label })}</a></p>`}`,
      )
    }),
  )
}
