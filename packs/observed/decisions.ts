/** Decisions of people about differences, one or thousands, and how many there are to decide. */
import {
  type ApiRequest,
  type HttpResponse,
  invalid,
  isJsonObject,
  jsonResponse,
  mainOf,
  parametersOf,
  permittedRows,
  readerOf,
  requestOf,
  sql,
  storedObjects,
  table,
  updateTable,
  writeWith,
} from 'cadastre'
import { acceptItems, idsIn } from './accept.ts'
import { applyRules, DRIFT, SOURCE } from './drift.ts'

/**
 * The ids of the differences that the body or the filters of the request name, if the user may do this with all of them.
 * Throws `invalid`.
 */
async function permittedIds(request: ApiRequest, permission: 'view' | 'change'): Promise<readonly number[]> {
  const { service, actor, search } = request
  const { database, registry, settings } = mainOf(service)
  const body = await request.body.read()
  const filters = new URLSearchParams([...search].filter(([name]) => !OPTIONS.has(name)))
  const parameters = parametersOf(registry, registry.model(DRIFT))
  // A misspelt or empty filter would mean all differences.
  const useless = [...filters].flatMap(([name, value]) =>
    !parameters.has(name) ? [[name, ['There is no such filter.']]] : value === '' ? [[name, ['Enter a value.']]] : [],
  )
  if (useless.length > 0) throw invalid(Object.fromEntries(useless))
  const isNamed = filters.size === 0 || (typeof body === 'object' && body !== null && 'ids' in body)
  const ids = isNamed ? idsIn(body) : []
  const reader = readerOf({ ...request, service: mainOf(service) })
  const condition = isNamed ? sql`t.id = any(${ids}::bigint[])` : await reader.condition(DRIFT, filters)
  const rows = await reader.rows<readonly [id: number]>(sql`
    select t.id from ${table(DRIFT)} t where ${condition ?? sql`true`} order by t.id`)
  const visible = rows.map(([id]) => Number(id))
  const changeable = permission === 'change' ? permittedRows(actor, permission, registry.model(DRIFT), settings) : 'all'
  const decidable =
    changeable === 'all'
      ? visible
      : await database.queryColumn(sql`
          select t.id from ${table(DRIFT)} t where t.id = any(${visible}::bigint[]) and ${changeable} order by t.id`)
  if (isNamed && decidable.length !== new Set(ids).size) {
    throw invalid({ ids: ['Some of these differences do not exist, or you may not decide about them.'] })
  }
  if (!isNamed && decidable.length === 0) throw invalid({ ids: ['There are no such differences.'] })
  return decidable.map(Number)
}

/** The differences that filters find now, and a digest that is another one if one of them comes, goes or changes. */
export async function differencesNow(
  request: ApiRequest,
  filters: URLSearchParams,
): Promise<{ readonly ids: readonly number[]; readonly digest: string }> {
  const reader = readerOf(request)
  const where = (await reader.condition(DRIFT, filters)) ?? sql`true`
  const [row] = await reader.rows<readonly [ids: readonly number[], digest: string]>(sql`
    select coalesce(array_agg(t.id order by t.id), '{}'),
      coalesce(md5(string_agg(concat_ws(' ', t.id, extract(epoch from t.since)), ',' order by t.id)), '')
    from ${table(DRIFT)} t where ${where}`)
  const [ids = [], digest = ''] = row ?? []
  return { ids: ids.map(Number), digest }
}

/** Parameters that are no filters. */
const OPTIONS: ReadonlySet<string> = new Set(['dry_run', 'branch', 'format'])

/** POST: accepts the differences that the request names. */
export async function acceptDrift(request: ApiRequest): Promise<HttpResponse> {
  const ids = await permittedIds(request, 'view')
  const accepted = await writeWith(request, (write) => acceptItems(write, ids))
  return jsonResponse(200, { accepted })
}

/** POST: ignores the differences that the request names. */
export async function ignoreDrift(request: ApiRequest): Promise<HttpResponse> {
  const ids = await permittedIds(request, 'change')
  const service = mainOf(request.service)
  const body = await request.body.read()
  const { reason, until = null } = isJsonObject(body) ? body : {}
  if (typeof reason !== 'string' || reason.trim() === '' || reason.length > 500) {
    throw invalid({ reason: ['Say why these differences are ignored, in at most 500 characters.'] })
  }
  if (until !== null && !(typeof until === 'string' && ISO.test(until) && Date.parse(until) > service.clock.now())) {
    throw invalid({ until: ['Enter a time in the future, such as 2027-01-31T00:00:00Z.'] })
  }
  const { username } = requestOf(request).actor
  await service.database.transaction(async (database) => {
    await database.execute(sql`
      ${updateTable(DRIFT)} set ignored = true, until = ${until === null ? null : new Date(String(until)).toISOString()}::timestamptz,
        reason = ${reason}, ignored_by = ${username} where id = any(${ids}::bigint[])`)
    await applyRules({ stored: storedObjects(service, database), database }, sql`d.id = any(${ids}::bigint[])`)
  })
  return jsonResponse(200, { ignored: ids.length })
}

/** A date, or a time with its zone (RFC 3339). */
const ISO = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/

/** Numbers of differences by source, type, site, kind of change and status, of those that the filters find. */
export async function driftCounts(request: ApiRequest) {
  const reader = readerOf(request)
  const where = (await reader.condition(DRIFT, request.search)) ?? sql`true`
  const rows = await reader.rows<
    readonly [source: string | null, kind: string, site: string | null, change: string, status: string, count: number]
  >(sql`
    select s.name, t.kind, p.name, t.change, t.status, count(*)::int
    from ${table(DRIFT)} t left join ${table(SOURCE)} s on s.id = t.source_id left join ${table('dcim.site')} p on p.id = t.site_id
    where ${where} group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`)
  return rows.map(([source, kind, site, change, status, count]) => ({ source, kind, site, change, status, count }))
}

export async function countDrift(request: ApiRequest): Promise<HttpResponse> {
  const counts = await driftCounts(request)
  return jsonResponse(200, { count: counts.reduce((sum, { count }) => sum + count, 0), counts })
}
