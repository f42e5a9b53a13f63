import type { ApiRequest } from '../../api/api-request.ts'
import type { FormValues } from '../../api/transport/body.ts'
import { invalid } from '../../base/errors.ts'
import type { PermissionAction } from '../../identity/actor.ts'
import { permittedRows } from '../../identity/permitted-rows.ts'
import { compileOrder } from '../../read/query/order.ts'
import type { Model } from '../../schema/registry.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { readList } from '../data/page-objects.ts'
import { listedIds } from '../export/read-all.ts'
import { textIn, textsIn } from '../forms/form-texts.ts'
import { RETURN, returnPath } from '../forms/return-path.ts'

/** Objects of a list on which the sender wants to act. */
export interface BulkSelection {
  /** The objects that the sender may view and act on, in the model's order. */
  readonly ids: readonly number[]
  /** Number of selected objects that are left out because they do not exist or the sender may not act on them. */
  readonly leftOut: number
  /** The selection as the text of a form field. */
  readonly ranges: string
  /** Query of the list from which it comes. */
  readonly query: string
  /** Page to which the form returns, if it is not that list. */
  readonly returnTo: string | undefined
}

/**
 * The selection of a form: checked objects (`id`), the selection of an earlier form (`ids`), or a `scope`: the page or
 * all objects that match the `query`. Throws `invalid` for more objects than one request may write.
 */
export async function bulkSelectionOf(
  request: ApiRequest,
  model: Model,
  action: PermissionAction,
  form: FormValues,
): Promise<BulkSelection> {
  const query = textIn(form, 'query')
  const selected = [...new Set(await selectedIds(request, model, form, query))]
  const most = request.service.settings.maxBulkObjects
  if (selected.length > most) {
    throw invalid([`At most ${most} objects can be changed at once; ${selected.length} are selected.`])
  }
  const ids = await permittedIds(request, model, action, selected)
  const returnTo = returnPath(request, textIn(form, RETURN))
  return { ids, leftOut: selected.length - ids.length, ranges: idRanges(ids), query, returnTo }
}

async function selectedIds(
  request: ApiRequest,
  model: Model,
  form: FormValues,
  query: string,
): Promise<readonly number[]> {
  const scope = textIn(form, 'scope')
  if (scope === 'all') return await listedIds(request, model, new URLSearchParams(query))
  if (scope === 'page') {
    return (await readList(request, model, { query: new URLSearchParams(query), paths: ['id'] })).objects.map(
      ({ id }) => Number(id),
    )
  }
  const checked = textsIn(form, 'id')
    .filter((text) => /^\d{1,15}$/.test(text))
    .map(Number)
  const most = request.service.settings.maxBulkObjects
  return [...checked, ...parseIdRanges(textIn(form, 'ids'), most + 1)]
}

/**
 * The objects that the sender may view and act on. Throws `forbidden` if the sender may act on no object of the model.
 */
async function permittedIds(
  { service, actor }: ApiRequest,
  model: Model,
  action: PermissionAction,
  ids: readonly number[],
): Promise<readonly number[]> {
  const visible = permittedRows(actor, 'view', model, service.settings)
  const permitted = permittedRows(actor, action, model, service.settings)
  if (ids.length === 0) return []
  const { joins, terms } = compileOrder(service, model, undefined)
  const rows = await service.database.query<{ id: number }>(sql`
    select t.id from ${table(model)} t ${joins}
    where t.id = any(${ids}::bigint[])
      ${visible === 'all' ? sql`` : sql`and ${visible}`} ${permitted === 'all' ? sql`` : sql`and ${permitted}`}
    order by ${terms}`)
  return rows.map(({ id }) => Number(id))
}

/** Ids as a short text: `1-3,7`. */
export function idRanges(ids: readonly number[]): string {
  const ranges: [first: number, last: number][] = []
  for (const id of [...new Set(ids)].sort((a, b) => a - b)) {
    const range = ranges.at(-1)
    if (range && range[1] === id - 1) range[1] = id
    else ranges.push([id, id])
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(',')
}

/** The ids in such a text, up to a maximum; none for other texts. */
export function parseIdRanges(text: string, most: number): readonly number[] {
  const ids: number[] = []
  for (const [, first = '', last = first] of text.matchAll(/(?:^|,)(\d{1,15})(?:-(\d{1,15}))?(?=,|$)/g)) {
    for (let id = Number(first); id <= Number(last) && ids.length < most; id++) ids.push(id)
  }
  return ids
}
