import type { FastifyRequest } from 'fastify'
import { ApiError } from '../errors.ts'
import type { Model } from '../schema/registry.ts'
import { parseJson, type RequestBody } from './body.ts'
import { readForm } from './form.ts'

/** The body of a request as Fastify hands it over: bytes, or a form that has not been read yet. */
export function lazyBody(request: FastifyRequest): RequestBody {
  return {
    read: async (model?: Model) => {
      if (request.isMultipart()) return await readForm(request.parts(), model)
      const { body } = request
      if (!(body instanceof Uint8Array) || body.length === 0) return undefined
      const mediaType = mediaTypeOf(request.headers['content-type'])
      if (mediaType !== 'application/json') {
        throw new ApiError({ kind: 'unsupportedMediaType', mediaType })
      }
      return parseJson(body)
    },
  }
}

const mediaTypeOf = (header: string | undefined): string =>
  (header ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
