import type { FastifyRequest } from 'fastify'
import { ApiError } from '../../base/errors.ts'
import type { Settings } from '../../config/settings.ts'
import { type FormValues, parseJsonBody, type RequestBody } from './body.ts'
import { objectOf, readParts, readUrlEncoded } from './form-body.ts'
import { checkBulk } from './limits.ts'

/**
 * The body of a Fastify request: bytes, or a form that has not been read yet. `isPublic`: of a request for which nobody
 * signs in, which has no large files.
 */
export function lazyBody(
  request: FastifyRequest,
  limits: Pick<Settings, 'maxBodySize' | 'maxUploadSize' | 'maxBulkObjects' | 'maxQueryParameters'>,
  isPublic: boolean,
): RequestBody {
  let parts: Promise<FormValues> | undefined
  const multipart = (): Promise<FormValues> => {
    // Parts can be read only once, and the CSRF check may need the form before the endpoint does.
    const { maxBodySize: texts, maxUploadSize } = limits
    const total = isPublic ? texts : Math.max(texts, maxUploadSize)
    request.tmpUploads ??= []
    const { tmpUploads } = request
    parts ??= readParts(request.parts({ limits: { fileSize: total } }), { texts, total }, (path) =>
      tmpUploads.push(path),
    )
    return parts
  }
  return {
    read: async (model) => {
      if (request.isMultipart()) return objectOf(await multipart(), model === 'exact' ? undefined : model)
      const { body } = request
      if (!(body instanceof Uint8Array) || body.length === 0) return undefined
      const mediaType = mediaTypeOf(request.headers['content-type'])
      if (!JSON_TYPES.has(mediaType)) {
        throw new ApiError({ kind: 'unsupportedMediaType', mediaType })
      }
      const document = parseJsonBody(body, model)
      checkBulk(document, limits.maxBulkObjects)
      return document
    },
    form: async () => {
      if (request.isMultipart()) return await multipart()
      const { body } = request
      const isForm = mediaTypeOf(request.headers['content-type']) === URL_ENCODED
      if (!isForm || !(body instanceof Uint8Array)) return undefined
      return readUrlEncoded(body, limits.maxQueryParameters)
    },
  }
}

/** JSON, and that of SCIM (RFC 7644 §8.1). */
const JSON_TYPES: ReadonlySet<string> = new Set(['application/json', 'application/scim+json'])

const URL_ENCODED = 'application/x-www-form-urlencoded'

const mediaTypeOf = (header: string | undefined): string => (header ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
