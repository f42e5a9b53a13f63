import { hasSecrets } from '../schema/has-secrets.ts'
import type { JsonObject } from '../schema/json.ts'
import type { Model, Registry } from '../schema/registry.ts'
import { ACCEPTED, BACKGROUND_PARAMETER } from './background.ts'
import { schemaNames } from './model-schemas.ts'
import { operationPrefix, schemaReference } from './names.ts'
import { FIELD_PARAMETERS, ID_PARAMETER, listParameters } from './query-parameters.ts'
import { REFUSALS } from './refusals.ts'

/** Request and responses of an operation. */
interface Operation {
  readonly id: string
  /** A few words that say what it does. */
  readonly summary: string
  readonly tag: string
  readonly parameters?: readonly JsonObject[]
  readonly body?: JsonObject
  /** The body as a multipart form, which files need; absent where forms make no sense. */
  readonly form?: JsonObject | undefined
  readonly status: 200 | 201 | 204
  readonly answer?: JsonObject
  /** Whether a background job can perform the request. */
  readonly background?: boolean | undefined
  /** Media types of responses besides `application/json`: texts, or documents if they end with +json. */
  readonly otherTypes?: readonly string[]
}

const SECURITY = [{ tokenAuth: [] }, { cookieAuth: [] }]

const contentOf = (types: readonly string[]): JsonObject =>
  Object.fromEntries(
    types.map((type) => [type, { schema: { type: type.endsWith('+json') ? 'object' : 'string' } }]),
  )

/** An operation object. Every operation has the same error responses. */
export function operation(described: Operation): JsonObject {
  const { id, summary, tag, body, form, status, answer, otherTypes = [], background } = described
  const parameters = background
    ? [...(described.parameters ?? []), BACKGROUND_PARAMETER]
    : described.parameters
  const content = (schema: JsonObject) => ({ 'application/json': { schema } })
  return {
    operationId: id,
    summary,
    ...(parameters && { parameters }),
    tags: [tag],
    ...(body && {
      requestBody: {
        content: {
          ...content(body),
          ...(form && { 'multipart/form-data': { schema: form } }),
        },
        required: true,
      },
    }),
    security: SECURITY,
    responses: {
      [status]: answer
        ? { description: 'Done', content: { ...content(answer), ...contentOf(otherTypes) } }
        : { description: 'Success, without content' },
      ...(background && ACCEPTED),
      ...REFUSALS,
    },
  }
}

const many = (schema: JsonObject): JsonObject => ({ type: 'array', items: schema })
const oneOrMany = (schema: JsonObject): JsonObject => ({ oneOf: [schema, many(schema)] })

const ALL_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Path items of a model's collection and of its objects, by path; none for a model without a path. */
export function modelPaths(registry: Registry, model: Model): Record<string, JsonObject> {
  const { path, app: tag } = model
  if (path === '') return {}
  const methods = new Set<string>(model.definition.methods ?? ALL_METHODS)
  const prefix = operationPrefix(path)
  const names = schemaNames(model)
  const [one, several] = model.definition.labels
  const shown = schemaReference(names.shown)
  const whole = schemaReference(names.whole)
  const change = schemaReference(names.change)
  const parameters = [ID_PARAMETER]
  const background = !hasSecrets(model)
  const hasFiles = [...model.fields.values()].some(({ kind }) => kind === 'file')
  const formOf = (schema: JsonObject) => (hasFiles ? schema : undefined)
  const of = (operations: Readonly<Record<string, JsonObject>>) =>
    Object.fromEntries(
      Object.entries(operations).filter(([method]) => methods.has(method.toUpperCase())),
    )
  return {
    [`/api/${path}/`]: of({
      get: operation({
        id: `${prefix}_list`,
        summary: `List ${several}`,
        tag,
        parameters: listParameters(registry, model),
        status: 200,
        answer: schemaReference(names.page),
      }),
      post: operation({
        id: `${prefix}_create`,
        summary: `Create one or more ${several}`,
        tag,
        body: oneOrMany(whole),
        form: formOf(whole),
        // Without the answer of background jobs: typed clients would get one of two types for each object that they create.
        status: 201,
        answer: oneOrMany(shown),
      }),
      put: operation({
        id: `${prefix}_bulk_update`,
        summary: `Replace several ${several}`,
        tag,
        body: many(schemaReference(names.bulkWhole)),
        background,
        status: 200,
        answer: many(shown),
      }),
      patch: operation({
        id: `${prefix}_bulk_partial_update`,
        summary: `Change several ${several}`,
        tag,
        body: many(schemaReference(names.bulkChange)),
        background,
        status: 200,
        answer: many(shown),
      }),
      delete: operation({
        id: `${prefix}_bulk_destroy`,
        summary: `Delete several ${several}`,
        tag,
        // Objects may be sent back as they were read; only their ids are used.
        body: many(schemaReference(names.bulkChange)),
        background,
        status: 204,
      }),
    }),
    [`/api/${path}/{id}/`]: of({
      get: operation({
        id: `${prefix}_retrieve`,
        summary: `Get one ${one}`,
        tag,
        parameters: [...FIELD_PARAMETERS, ID_PARAMETER],
        status: 200,
        answer: shown,
      }),
      put: operation({
        id: `${prefix}_update`,
        summary: `Replace one ${one}`,
        tag,
        parameters,
        body: whole,
        form: formOf(whole),
        status: 200,
        answer: shown,
      }),
      patch: operation({
        id: `${prefix}_partial_update`,
        summary: `Change one ${one}`,
        tag,
        parameters,
        body: change,
        form: formOf(change),
        status: 200,
        answer: shown,
      }),
      delete: operation({
        id: `${prefix}_destroy`,
        summary: `Delete one ${one}`,
        tag,
        parameters,
        status: 204,
      }),
    }),
  }
}
