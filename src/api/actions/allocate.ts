import { ApiError } from '../../base/errors.ts'
import { requireUser } from '../../identity/require-user.ts'
import { projectionOf } from '../../read/serialise/projection.ts'
import { fetchObjects } from '../../read/serialise/read-objects.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { createObjects } from '../../write/create-objects.ts'
import { writeAndRead } from '../../write/run.ts'
import { takeAllocationLock } from '../../write/save/locks.ts'
import { writeRequestOf } from '../../write/write-request.ts'
import type { ApiRequest } from '../api-request.ts'
import type { HttpResponse } from '../response.ts'
import { visibleTo } from '../verbs/fields.ts'

interface Allocation {
  /** Name of the model of the created objects. */
  readonly of: string
  /**
   * Adds free values to the bodies, in the order of the request. Runs under a lock, so that values free in `queryable`
   * remain free until the objects exist. Throws `exhausted`.
   */
  readonly complete: (bodies: readonly unknown[], queryable: Queryable) => Promise<readonly unknown[]>
  /** Fields that the response leaves out. */
  readonly omit?: readonly string[]
}

/**
 * POST that allocates free values: one object, or one per element of a list, all or none. Simultaneous requests run
 * one after the other, so that no value is allocated twice.
 */
export async function allocate(request: ApiRequest, allocation: Allocation): Promise<HttpResponse> {
  const { service, base } = request
  const actor = requireUser(request)
  const model = service.registry.model(allocation.of)
  const body = await request.body.read(model)
  const bulk = Array.isArray(body)
  const bodies: readonly unknown[] = bulk ? body : [body ?? {}]
  const projection = projectionOf(service, model, {
    ...visibleTo(request, model),
    omit: allocation.omit,
    brief: false,
    excludeContext: false,
  })
  return await writeAndRead(service, writeRequestOf(request, actor), {
    work: async (context) => {
      takeAllocationLock(context, model)
      const completed = await allocation.complete(bodies, context.transaction)
      return await createObjects(context, model, completed, { bulk })
    },
    read: async (source, ids) => {
      const texts = await fetchObjects(source, ids, projection, base)
      const objects = ids.map((id) => texts.get(id) ?? '')
      return { status: 201, body: bulk ? `[${objects.join(',')}]` : (objects[0] ?? '') }
    },
  })
}

export const exhausted = (): ApiError =>
  new ApiError({
    kind: 'exhausted',
    detail: 'Insufficient resources are available to satisfy the request',
  })

/** The body with values that the client cannot choose; a body that is not an object is refused later. */
export const withValues = (body: unknown, values: JsonObject): unknown =>
  typeof body === 'object' && body !== null && !Array.isArray(body) ? { ...body, ...values } : body
