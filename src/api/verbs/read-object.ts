import { cachedColumn } from '../../read/query/cached-column.ts'
import type { RowPredicate } from '../../read/query/row-predicate.ts'
import { andIn } from '../../read/query/row-predicate.ts'
import type { Projection } from '../../read/serialise/projection.ts'
import { cachedObject, readObjects } from '../../read/serialise/read-objects.ts'
import type { ReadSource } from '../../read/serialise/read-source.ts'
import { rowVersion } from '../../read/serialise/row-version.ts'
import type { Service } from '../../service.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { etagOf } from '../transport/etag.ts'

interface FoundObject {
  readonly etag: string | undefined
  readonly json: Buffer
}

/** One object in the projection; undefined if it does not exist. */
export async function readObject(
  source: ReadSource,
  projection: Projection,
  { id, base }: { readonly id: number; readonly base: string },
): Promise<FoundObject | undefined> {
  const object = (await readObjects(source, [id], projection, base)).get(id)
  return object && { etag: etagOf(object.version, source.service), json: object.json }
}

/**
 * Version of an object within the row predicate, without its fields: `etag` is undefined for models without versions,
 * the whole result if there is no such object.
 */
export async function readEtag(
  service: Service,
  projection: Projection,
  { id, permitted, base }: { readonly id: number; readonly permitted: RowPredicate | 'all'; readonly base: string },
): Promise<Pick<FoundObject, 'etag'> | undefined> {
  const cached = permitted === 'all' ? cachedObject(service, projection, base, id) : undefined
  if (cached) return { etag: etagOf(cached.version, service) }
  const { model } = projection
  const [version] = await cachedColumn(
    service,
    sql`select ${rowVersion(model)} from ${table(model)} t where t.id = ${id}::bigint${andIn(permitted)}`,
  )
  return version === undefined ? undefined : { etag: etagOf(version, service) }
}
