import { LATEST } from '../../base/api-version.ts'
import { ApiError } from '../../base/errors.ts'
import { VERSION_COLUMNS } from '../../read/serialise/row-version.ts'
import type { Model } from '../../schema/registry.ts'
import type { Service } from '../../service.ts'
import type { ApiRequest } from '../api-request.ts'
import type { HttpResponse } from '../response.ts'

/** The service of a request: the same object differs between branches, and between versions of the API. */
type Place = Pick<Service, 'branch' | 'registry'>

/**
 * Entity tag of an object: the time of its last save, in the form of db/decode.ts. Undefined without one. That of main in
 * the latest version of the API is NetBox's.
 */
export function etagOf(savedAt: unknown, { branch, registry: { version } }: Place): string | undefined {
  if (typeof savedAt !== 'string') return undefined
  const place = `${branch ? `;branch=${branch.id}` : ''}${version === LATEST ? '' : `;${version}`}`
  return `W/"${savedAt.replace(/Z$/, '+00:00')}${place}"`
}

/** The tag in the latest version of the API. A change is based on a state of the object, whatever its form. */
const inLatestVersion = (tag: string): string => tag.replace(/;[\d.]+"$/, '"')

/** The ETag header; no header without a tag. */
export const etagHeaders = (etag: string | undefined): NonNullable<HttpResponse['headers']> =>
  etag === undefined ? {} : { ETag: etag }

/** The response, or 304 if the client's `If-None-Match` contains the response's tag. */
export const unlessKnown = (response: HttpResponse, ifNoneMatch: string | undefined): HttpResponse =>
  isKnown(response.headers?.ETag, ifNoneMatch)
    ? { status: 304, ...(response.headers && { headers: response.headers }) }
    : response

/** Entity tag of a row of the write pipeline. */
function etagOfRow(model: Model, row: Readonly<Record<string, unknown>>, place: Place): string | undefined {
  const key = VERSION_COLUMNS.find((name) => model.columns.has(name) && row[name] != null)
  return key && etagOf(row[key], place)
}

/**
 * Check that refuses rows whose version differs from `If-Match`. Undefined if the header is absent or `*`. Rows of
 * models without a tag always pass.
 */
export function preconditionOf(
  model: Model,
  { headers, service }: Pick<ApiRequest, 'headers' | 'service'>,
): ((row: Readonly<Record<string, unknown>>) => void) | undefined {
  const ifMatch = headers['if-match']
  if (ifMatch === undefined) return undefined
  const expectedTags = new Set([...tagsOf(ifMatch)].map(inLatestVersion))
  if (expectedTags.has('*')) return undefined
  return (row) => {
    const etag = etagOfRow(model, row, service)
    if (etag !== undefined && !expectedTags.has(inLatestVersion(etag))) {
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
