import { ApiError, notFound } from '../../base/errors.ts'
import { className } from '../../schema/class-name.ts'
import type { Model } from '../../schema/registry.ts'
import type { ApiRequest } from '../api-request.ts'

/** The id in the path. Throws `notFound` for values that cannot be an id. */
export function objectId({ parameters }: ApiRequest, model: Model): number {
  const [text = ''] = parameters
  if (!/^-?\d+$/.test(text)) throw new ApiError({ kind: 'notFound', detail: 'Not found.' })
  const id = Number(text)
  if (id <= 0 || !Number.isSafeInteger(id)) throw noSuchObject(model)
  return id
}

export const noSuchObject = (model: Model): ApiError => notFound(className(model))
