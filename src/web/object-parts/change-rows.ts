import type { ApiRequest } from '../../api/api-request.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { shownTitle } from '../components/model-title.ts'
import { EMPTY } from '../components/value.ts'
import { type ChangeGroup, isGrouped, readChangeGroups } from '../data/change-groups.ts'
import { type Content, html } from '../html.ts'
import { filtersIn } from '../lists/list-query.ts'
import { objectRows, type RowsPage, type RowsQuery } from '../lists/object-rows.ts'
import { sentenceOfChanges } from './change-summary.ts'

/** The objects of a list; of the change log, one row per request. Throws as the API's list does. */
export const listRows = (request: ApiRequest, model: Model, rowsQuery: RowsQuery): Promise<RowsPage> =>
  model.name === SYSTEM.objectChange && rowsQuery.group === undefined && isGrouped(rowsQuery.query)
    ? requestRows(request, model, rowsQuery)
    : objectRows(request, model, rowsQuery)

async function requestRows(request: ApiRequest, model: Model, rowsQuery: RowsQuery): Promise<RowsPage> {
  const { count, objects: groups, span } = await readChangeGroups(request, model, rowsQuery.query)
  const filters = filtersIn(rowsQuery.query)
  const byLatest = new Map(groups.map((group) => [group.latest, group]))
  const query = new URLSearchParams(groups.map(({ latest }): [string, string] => ['id', String(latest)]))
  query.set('limit', String(groups.length))
  if (groups.length === 0) query.set('id', '0')
  const rows = await objectRows(request, model, {
    ...rowsQuery,
    query,
    count,
    cellOf: ({ id }, path) => {
      const group = byLatest.get(Number(id))
      return group && group.count > 1 ? cellOfGroup(request, model, { group, filters }, path) : undefined
    },
  })
  return { ...rows, count, span }
}

interface FilteredGroup {
  readonly group: ChangeGroup
  /** Those of the list. */
  readonly filters: URLSearchParams
}

/** The query of the list of all changes of a request that match the filters. */
const ofRequest = (filters: URLSearchParams, { requestId }: ChangeGroup): string =>
  new URLSearchParams([...filters, ['request_id', requestId]]).toString()

/** The cell of several changes; undefined if the latest of them has the same value as the others. */
function cellOfGroup(request: ApiRequest, changes: Model, { group, filters }: FilteredGroup, path: string): Content {
  const { registry, settings } = request.service
  const [kind, ...others] = group.kinds
  switch (path) {
    case 'action':
      return new Set(group.kinds.map(({ action }) => action)).size === 1 ? undefined : EMPTY
    case 'changed_object_type': {
      const model = others.length === 0 && kind && registry.models.get(kind.type)
      return model ? shownTitle(model) : EMPTY
    }
    case 'object_repr':
      return html`<a href="${settings.basePath}${pagePathOf(changes)}?${ofRequest(filters, group)}">${sentenceOfChanges(registry, group.kinds)}</a>`
    case 'changed_object':
      return EMPTY
    default:
      return undefined
  }
}
