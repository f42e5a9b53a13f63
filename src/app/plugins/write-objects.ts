import type { ApiRequest } from '../../api/api-request.ts'
import type { HttpResponse } from '../../api/response.ts'
import { visibleTo } from '../../api/verbs/fields.ts'
import type { Messages } from '../../base/errors.ts'
import { requireUser } from '../../identity/require-user.ts'
import { projectionOf } from '../../read/serialise/projection.ts'
import { fetchObjects } from '../../read/serialise/read-objects.ts'
import type { Queryable } from '../../sql/queryable.ts'
import type { WriteContext } from '../../write/context.ts'
import { createObjects } from '../../write/create-objects.ts'
import { deleteObjects } from '../../write/remove/delete-objects.ts'
import { runWrite, writeAndRead } from '../../write/run.ts'
import { updateObjects } from '../../write/update-objects.ts'
import { writeRequestOf } from '../../write/write-request.ts'

/**
 * Writes of an endpoint, in one transaction, with the rights of the person who asks; models by their names. Each call is
 * one batch, which may be empty.
 */
export interface EndpointWriter {
  readonly database: Queryable
  /** The ids of the created objects. `refusal` makes the error from the messages of all bodies, in their order. */
  create(
    model: string,
    bodies: readonly unknown[],
    refusal?: (messages: readonly (Messages | undefined)[]) => Error,
  ): Promise<readonly number[]>
  update(model: string, targets: readonly { readonly id: number; readonly body: unknown }[]): Promise<void>
  remove(model: string, ids: readonly number[]): Promise<void>
}

function writerOf(context: WriteContext): EndpointWriter {
  const { registry } = context.service
  const bulk = (batch: readonly unknown[]) => ({ bulk: batch.length > 1 })
  return {
    database: context.transaction,
    create: async (name, bodies, refusal) =>
      bodies.length === 0
        ? []
        : await createObjects(context, registry.model(name), bodies, { ...bulk(bodies), refusal }),
    update: async (name, targets) => {
      if (targets.length === 0) return
      await updateObjects(context, registry.model(name), targets, { partial: true, ...bulk(targets) })
    },
    remove: async (name, ids) => {
      if (ids.length === 0) return
      const targets = ids.map((id) => ({ id }))
      await deleteObjects(context, registry.model(name), targets, bulk(targets))
    },
  }
}

/** Runs `work`, whose writes are one transaction, and returns its result. Throws ApiError. */
export const writeWith = <T>(request: ApiRequest, work: (write: EndpointWriter) => Promise<T>): Promise<T> =>
  runWrite(request.service, writeRequestOf(request, requireUser(request)), (context) => work(writerOf(context)))

/** The response of a POST that writes: 201 with the object of the model whose id `work` returns. Throws ApiError. */
export async function writeObjects(
  request: ApiRequest,
  modelName: string,
  work: (write: EndpointWriter) => Promise<number>,
): Promise<HttpResponse> {
  const { service, base } = request
  const model = service.registry.model(modelName)
  const projection = projectionOf(service, model, { ...visibleTo(request, model), brief: false, excludeContext: false })
  return await writeAndRead(service, writeRequestOf(request, requireUser(request)), {
    work: (context) => work(writerOf(context)),
    read: async (source, id) => ({
      status: 201,
      body: (await fetchObjects(source, [id], projection, base)).get(id) ?? '',
    }),
  })
}
