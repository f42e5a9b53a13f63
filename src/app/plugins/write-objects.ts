import type { ApiRequest } from '../../api/api-request.ts'
import type { HttpResponse } from '../../api/response.ts'
import { visibleTo } from '../../api/verbs/fields.ts'
import { requireUser } from '../../identity/require-user.ts'
import { jsonList } from '../../read/serialise/json-list.ts'
import { projectionOf } from '../../read/serialise/projection.ts'
import { readInOrder } from '../../read/serialise/read-objects.ts'
import type { Registry } from '../../schema/registry.ts'
import type { StoredObjects } from '../../schema/rule.ts'
import type { Service } from '../../service.ts'
import type { Queryable } from '../../sql/queryable.ts'
import type { WriteContext, WriteRequest } from '../../write/context.ts'
import { createObjects } from '../../write/create-objects.ts'
import { deleteObjects } from '../../write/remove/delete-objects.ts'
import { runWrite, writeAndRead } from '../../write/run.ts'
import { takeLock } from '../../write/save/locks.ts'
import { storedObjects } from '../../write/stored-objects.ts'
import { updateObjects } from '../../write/update-objects.ts'
import { writeRequestOf } from '../../write/write-request.ts'

/**
 * Writes of an endpoint, in one transaction, with the rights of a user; models by their names. Each call is
 * one batch, which may be empty.
 */
export interface EndpointWriter {
  readonly registry: Registry
  readonly database: Queryable
  readonly stored: StoredObjects
  /** Waits until nobody else writes objects of these models that have a lock, so that what is read then stays true. */
  lock(...models: readonly string[]): void
  /** The ids of the created objects. */
  create(model: string, bodies: readonly unknown[], options?: CreateOptions): Promise<readonly number[]>
  update(
    model: string,
    targets: readonly { readonly id: number; readonly body: unknown }[],
    options?: UpdateOptions,
  ): Promise<void>
  remove(model: string, ids: readonly number[], options?: Omit<UpdateOptions, 'partial'>): Promise<void>
}

/** `refusal` makes the error from the messages of all bodies, in their order. `ids`: those that the objects get. */
type CreateOptions = Pick<Parameters<typeof createObjects>[3], 'refusal' | 'ids'> & { readonly bulk?: boolean }

/** `partial`: false if every required field must be present. */
type UpdateOptions = Partial<Pick<Parameters<typeof updateObjects>[3], 'partial' | 'precondition' | 'refusesUnknown'>>

function writerOf(context: WriteContext): EndpointWriter {
  const { service, transaction } = context
  const { registry } = service
  const bulk = (batch: readonly unknown[]) => ({ bulk: batch.length > 1 })
  return {
    ...{ registry, database: transaction, stored: storedObjects(service, transaction) },
    lock: (...names) => {
      for (const name of names) takeLock(context, registry.model(name))
    },
    create: async (name, bodies, options) =>
      bodies.length === 0
        ? []
        : await createObjects(context, registry.model(name), bodies, { ...bulk(bodies), ...options }),
    update: async (name, targets, options) => {
      if (targets.length === 0) return
      await updateObjects(context, registry.model(name), targets, { partial: true, ...bulk(targets), ...options })
    },
    remove: async (name, ids, options) => {
      if (ids.length === 0) return
      const targets = ids.map((id) => ({ id }))
      await deleteObjects(context, registry.model(name), targets, { ...bulk(targets), ...options })
    },
  }
}

/** Runs `work`, whose writes are one transaction, and returns its result. Throws ApiError. */
export const writeWith = <T>(request: ApiRequest, work: (write: EndpointWriter) => Promise<T>): Promise<T> =>
  writeAs(request.service, requestOf(request), work)

/**
 * The response of a write: with the object of the model whose id `work` returns, or a list of those with its ids. Throws
 * ApiError.
 */
export async function writeObjects(
  request: ApiRequest,
  modelName: string,
  work: (write: EndpointWriter) => Promise<number | readonly number[]>,
  status = 201,
): Promise<HttpResponse> {
  const { service, base } = request
  const model = service.registry.model(modelName)
  const projection = projectionOf(service, model, { ...visibleTo(request, model), brief: false, excludeContext: false })
  return await writeAndRead(service, requestOf(request), {
    work: (context) => work(writerOf(context)),
    read: async (source, written) => {
      const objects = await readInOrder(source, [written].flat(), projection, base)
      return { status, body: typeof written === 'number' ? (objects[0] ?? '') : jsonList(objects) }
    },
  })
}

/** The author and the origin of the writes of an endpoint. */
export const requestOf = (request: ApiRequest): WriteRequest => writeRequestOf(request, requireUser(request))

/** The result of `work`, whose writes are stored completely or not at all. Throws ApiError. */
export const writeAs = <T>(
  service: Service,
  request: WriteRequest,
  work: (write: EndpointWriter) => Promise<T>,
): Promise<T> => runWrite(service, request, (context) => work(writerOf(context)))
