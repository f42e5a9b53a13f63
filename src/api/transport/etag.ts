import { ApiError } from '../../errors.ts'
import { VERSION_COLUMNS } from '../../read/serialise/row-version.ts'
import type { Model } from '../../schema/registry.ts'
import type { HttpResponse } from '../response.ts'

/** Entity tag of a version timestamp in the form of db/decode.ts; undefined without one. */
export const etagOf = (version: unknown): string | undefined =>
  typeof version === 'string' ? `W/"${version.replace(/Z$/, '+00:00')}"` : undefined

/** The ETag header; no header without a tag. */
export const etagHeaders = (etag: string | undefined): NonNullable<HttpResponse['headers']> =>
  etag === undefined ? {} : { ETag: etag }

/** The response, or 304 if the client's `If-None-Match` contains the response's tag. */
export const unlessKnown = (response: HttpResponse, ifNoneMatch: string | undefined): HttpResponse =>
  isKnown(response.headers?.ETag, ifNoneMatch)
    ? { status: 304, ...(response.headers && { headers: response.headers }) }
    : response

/** Entity tag of a row of the write pipeline. */
export function etagOfRow(model: Model, row: Readonly<Record<string, unknown>>): string | undefined {
  const key = VERSION_COLUMNS.find((name) => model.columns.has(name) && row[name] != null)
  return key && etagOf(row[key])
}

/**
 * Check that refuses rows whose version differs from `If-Match`. Undefined if the header is absent or `*`. Rows of
 * models without a tag always pass.
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

/** Whether the client already has this version (`If-None-Match`). */
export function isKnown(etag: string | undefined, ifNoneMatch: string | undefined): boolean {
  if (etag === undefined || ifNoneMatch === undefined) return false
  const tags = tagsOf(ifNoneMatch)
  return tags.has('*') || tags.has(etag)
}

const tagsOf = (header: string): ReadonlySet<string> => new Set(header.split(',').map((tag) => tag.trim()))
