import { ApiError } from '../errors.ts'
import type { Model } from '../schema/registry.ts'
import { identifier, type Sql, sql } from '../sql/fragment.ts'

/** Columns that say when a row was last saved, the best first. */
const STAMPS = ['last_updated', 'created'] as const

/** SQL of the moment that an object's entity tag is made of; null for models without one. */
export function stampOf(model: Model): Sql {
  const columns = STAMPS.flatMap((key) => model.columns.get(key) ?? [])
  if (columns.length === 0) return sql`null`
  const [first, second] = columns.map(({ name }) => sql`t.${identifier(name)}`)
  return second ? sql`coalesce(${first}, ${second})` : sql`${first}`
}

/** Entity tag of a moment in the form of storage/decode.ts; undefined where there is none. */
export const etagOf = (stamp: unknown): string | undefined =>
  typeof stamp === 'string' ? `W/"${stamp.replace(/Z$/, '+00:00')}"` : undefined

/** The tag of a row as the write pipeline hands it over. */
export function etagOfRow(
  model: Model,
  row: Readonly<Record<string, unknown>>,
): string | undefined {
  const key = STAMPS.find((name) => model.columns.has(name) && row[name] != null)
  return key && etagOf(row[key])
}

/**
 * A check that refuses rows in another version than `If-Match` names. Undefined where the header is
 * absent or `*`. Rows of models without a tag always pass.
 */
export function preconditionOf(
  model: Model,
  ifMatch: string | undefined,
): ((row: Readonly<Record<string, unknown>>) => void) | undefined {
  if (ifMatch === undefined) return undefined
  const wanted = tagsOf(ifMatch)
  if (wanted.has('*')) return undefined
  return (row) => {
    const etag = etagOfRow(model, row)
    if (etag !== undefined && !wanted.has(etag)) {
      throw new ApiError({ kind: 'preconditionFailed', etag })
    }
  }
}

/** Whether the client has this version already (`If-None-Match`). */
export function isKnown(etag: string | undefined, ifNoneMatch: string | undefined): boolean {
  if (etag === undefined || ifNoneMatch === undefined) return false
  const known = tagsOf(ifNoneMatch)
  return known.has('*') || known.has(etag)
}

const tagsOf = (header: string): ReadonlySet<string> =>
  new Set(header.split(',').map((tag) => tag.trim()))
