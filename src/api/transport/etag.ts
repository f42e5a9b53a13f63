import { type ApiVersion, LATEST } from '../../api-version.ts'
import { ApiError } from '../../errors.ts'
import { VERSION_COLUMNS } from '../../read/serialise/row-version.ts'
import type { Model } from '../../schema/registry.ts'
import type { HttpResponse } from '../response.ts'

/**
 * Entity tag of an object in a version of the API, whose form of the object differs from others: the time of its last
 * save, in the form of db/decode.ts. Undefined without one. NetBox has the same tag.
 */
export const etagOf = (savedAt: unknown, apiVersion: ApiVersion): string | undefined =>
  typeof savedAt === 'string'
    ? `W/"${savedAt.replace(/Z$/, '+00:00')}${apiVersion === LATEST ? '' : `;${apiVersion}`}"`
    : undefined

/** The tag in the latest version of the API. A change is based on a state of the object, whatever its form. */
const inLatestVersion = (tag: string): string => tag.replace(/;[^";]*"$/, '"')

/** The ETag header; no header without a tag. */
export const etagHeaders = (etag: string | undefined): NonNullable<HttpResponse['headers']> =>
  etag === undefined ? {} : { ETag: etag }

/** The response, or 304 if the client's `If-None-Match` contains the response's tag. */
export const unlessKnown = (response: HttpResponse, ifNoneMatch: string | undefined): HttpResponse =>
  isKnown(response.headers?.ETag, ifNoneMatch)
    ? { status: 304, ...(response.headers && { headers: response.headers }) }
    : response

/** Entity tag of a row of the write pipeline. */
function etagOfRow(model: Model, row: Readonly<Record<string, unknown>>, apiVersion: ApiVersion): string | undefined {
  const key = VERSION_COLUMNS.find((name) => model.columns.has(name) && row[name] != null)
  return key && etagOf(row[key], apiVersion)
}

/**
 * Check that refuses rows whose version differs from `If-Match`. Undefined if the header is absent or `*`. Rows of
 * models without a tag always pass.
 */
export function preconditionOf(
  model: Model,
  ifMatch: string | undefined,
  apiVersion: ApiVersion,
): ((row: Readonly<Record<string, unknown>>) => void) | undefined {
  if (ifMatch === undefined) return undefined
  const wanted = new Set([...tagsOf(ifMatch)].map(inLatestVersion))
  if (wanted.has('*')) return undefined
  return (row) => {
    const etag = etagOfRow(model, row, apiVersion)
    if (etag !== undefined && !wanted.has(inLatestVersion(etag))) {
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
