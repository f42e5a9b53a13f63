import { projectionOf } from '../../read/serialise/projection.ts'
import { fetchObjects } from '../../read/serialise/read-objects.ts'
import type { ReadSource } from '../../read/serialise/read-source.ts'
import { type HttpResponse, okResponse } from '../response.ts'

/** The object of the response. */
interface ShownObject {
  /** Name of its model. */
  readonly model: string
  readonly id: number
  /** Scheme, host and base path of the URLs in the response. */
  readonly base: string
  /** Fields that the response leaves out. */
  readonly omit?: readonly string[]
  /** Computed fields that the user may not see. */
  readonly without?: ReadonlySet<string> | undefined
  /** Leave out the config context. */
  readonly excludeContext?: boolean
}

/** A response with one object in its whole form. */
export async function objectResponse(
  source: ReadSource,
  { model, id, base, omit, without, excludeContext = false }: ShownObject,
): Promise<HttpResponse> {
  const { service } = source
  const projection = projectionOf(service, service.registry.model(model), {
    omit,
    without,
    brief: false,
    excludeContext,
  })
  const texts = await fetchObjects(source, [id], projection, base)
  return okResponse(texts.get(id) ?? 'null')
}
