import { ApiError } from '../../errors.ts'
import { VERSION_COLUMNS } from '../../output/row-version.ts'
import type { Model } from '../../schema/registry.ts'
import type { HttpResponse } from '../response.ts'

/** Entity tag of a moment in the form of storage/decode.ts; undefined where there is none. */
export const etagOf = (version: unknown): string | undefined =>
  typeof version === 'string' ? `W/"${version.replace(/Z$/, '+00:00')}"` : undefined

/** The header that tells the tag; none where there is no tag. */
export const etagHeaders = (etag: string | undefined): NonNullable<HttpResponse['headers']> =>
  etag === undefined ? {} : { ETag: etag }

/** The answer, or that the client has it already: by the tag that it names and that of the client (`If-None-Match`). */
export const unlessKnown = (answer: HttpResponse, ifNoneMatch: string | undefined): HttpResponse =>
  isKnown(answer.headers?.ETag, ifNoneMatch)
    ? { status: 304, ...(answer.headers && { headers: answer.headers }) }
    : answer

/** The tag of a row as the write pipeline hands it over. */
export function etagOfRow(
  model: Model,
  row: Readonly<Record<string, unknown>>,
): string | undefined {
  const key = VERSION_COLUMNS.find((name) => model.columns.has(name) && row[name] != null)
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
