import type { ApiRequest } from '../../api/api-request.ts'
import type { HttpResponse } from '../../api/response.ts'
import { visibleTo } from '../../api/verbs/fields.ts'
import { requireUser } from '../../identity/require-user.ts'
import { projectionOf } from '../../read/serialise/projection.ts'
import { fetchObjects } from '../../read/serialise/read-objects.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { createObjects } from '../../write/create-objects.ts'
import { writeAndRead } from '../../write/run.ts'
import { updateObjects } from '../../write/update-objects.ts'
import { writeRequestOf } from '../../write/write-request.ts'

/** Writes of an endpoint, in one transaction, with the rights of the person who asks; models by their names. */
interface EndpointWriter {
  readonly database: Queryable
  /** The ids of the created objects. */
  create(model: string, bodies: readonly unknown[]): Promise<readonly number[]>
  update(model: string, targets: readonly { readonly id: number; readonly body: unknown }[]): Promise<void>
}

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
    work: (context) => {
      const { registry } = context.service
      return work({
        database: context.transaction,
        create: (name, bodies) => createObjects(context, registry.model(name), bodies, { bulk: false }),
        update: async (name, targets) => {
          await updateObjects(context, registry.model(name), targets, { partial: true, bulk: false })
        },
      })
    },
    read: async (source, id) => ({
      status: 201,
      body: (await fetchObjects(source, [id], projection, base)).get(id) ?? '',
    }),
  })
}
