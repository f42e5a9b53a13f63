import type { JsonObject } from '../../../schema/json.ts'
import type { Queryable } from '../../../sql/queryable.ts'
import type { ApiRequest } from '../../api-request.ts'
import { okResponse } from '../../response.ts'
import { type Action, listOf, oneOrMany, schema } from '../action.ts'
import { allocate } from '../allocate.ts'

interface Available<Parent> {
  /** Path of the action, below /api/. */
  readonly path: string
  readonly title: string
  /** Model of the parents with free values: a prefix, a range, a group. */
  readonly parent: string
  /** Model of the objects that a POST creates. */
  readonly creates: string
  /** Fields that the response to a POST leaves out. */
  readonly omit?: readonly string[]
  /** Names of OpenAPI schemas: of an entry of the list, of a body, of a created object. */
  readonly schemaNames: { readonly entry: string; readonly body: string; readonly created: string }
  readonly schemas: Readonly<Record<string, JsonObject>>
  /** The parent in the path. Throws `notFound`. */
  readonly find: (request: ApiRequest, queryable: Queryable) => Promise<Parent>
  /** JSON texts of the free values, for the list. */
  readonly list: (request: ApiRequest, parent: Parent) => Promise<readonly string[]>
  /** The bodies completed with free values, in their order. Throws `invalid`, `exhausted`. */
  readonly complete: (
    bodies: readonly unknown[],
    parent: Parent,
    queryable: Queryable,
    request: ApiRequest,
  ) => Promise<readonly unknown[]>
}

/** An action that lists the free values of a parent object (GET) and creates objects from them (POST). */
export const availableAction = <Parent>({
  path,
  title,
  parent,
  creates,
  omit,
  schemaNames,
  schemas,
  find,
  list,
  complete,
}: Available<Parent>): Action => ({
  path,
  title,
  methods: {
    GET: {
      permission: { view: parent },
      answer: listOf(schema(schemaNames.entry)),
      handle: async (request) => {
        const parentObject = await find(request, request.service.database)
        return okResponse(`[${(await list(request, parentObject)).join(',')}]`)
      },
    },
    POST: {
      permission: { view: parent, add: creates },
      body: oneOrMany(schema(schemaNames.body)),
      status: 201,
      answer: oneOrMany(schema(schemaNames.created)),
      hasDryRun: true,
      handle: (request) =>
        allocate(request, {
          of: creates,
          ...(omit && { omit }),
          complete: async (bodies, queryable) => complete(bodies, await find(request, queryable), queryable, request),
        }),
    },
  },
  schemas,
})
