import { exampleBody } from '../../schema/example-values.ts'
import { hasSecrets } from '../../schema/has-secrets.ts'
import type { Json, JsonObject } from '../../schema/json.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { isWritable } from '../../schema/writable.ts'
import { ACCEPTED, REFUSALS, refused, TRIED } from './common-responses.ts'
import { schemaNames } from './model-schemas.ts'
import { jsonContent, operationPrefix, schemaReference } from './names.ts'
import {
  BACKGROUND_PARAMETER,
  branchParameters,
  DRY_RUN_PARAMETER,
  FIELD_PARAMETERS,
  ID_PARAMETER,
  IDEMPOTENCY_PARAMETER,
  IF_MATCH_PARAMETER,
  listParameters,
  MATCH_PARAMETER,
  timeParameters,
} from './query-parameters.ts'

/** Examples of a model's bodies. Related objects have the id 1. */
interface BodyExamples {
  readonly whole: JsonObject
  /** Changes one field. */
  readonly change: JsonObject
}

/** Values that people usually set in addition to the required fields. */
const USEFUL: readonly string[] = ['status', 'description']

/** Undefined for a model whose body cannot be written as JSON, or has a required field without an example. */
function bodyExamples(registry: Registry, model: Model): BodyExamples | undefined {
  const { body, missing } = exampleBody(registry, model, 1, (_model, n) => n, { whole: false })
  if (!body || missing.length > 0 || !isJson(body)) return undefined
  const whole = { ...body, ...Object.fromEntries(USEFUL.flatMap((name) => usefulEntry(model, name))) }
  const [first] = Object.entries(whole).toReversed()
  return { whole, change: Object.fromEntries(first ? [first] : []) }
}

const isJson = (body: Readonly<Record<string, Json | Blob>>): body is JsonObject =>
  Object.values(body).every((value) => !(value instanceof Blob))

function usefulEntry(model: Model, name: string): readonly (readonly [string, Json])[] {
  const field = model.fields.get(name)
  if (!field || !isWritable(field)) return []
  if (field.kind === 'text') return [[name, `An example of ${model.definition.labels[1]}`]]
  return field.kind === 'choice' && typeof field.default === 'string' ? [[name, field.default]] : []
}

/** Request and responses of an operation. */
interface Operation {
  readonly id: string
  /** A short summary. */
  readonly summary: string
  /** Sentences that the summary has no room for. */
  readonly description?: string | undefined
  readonly tag: string
  readonly parameters?: readonly JsonObject[]
  readonly body?: JsonObject
  readonly example?: Json | undefined
  /** The body as a multipart form, which files need; absent if forms make no sense. */
  readonly form?: JsonObject | undefined
  readonly status: 200 | 201 | 204
  readonly answer?: JsonObject
  /** Whether a background job can perform the request. */
  readonly background?: boolean | undefined
  /** Whether `dry_run` tries the request. */
  readonly hasDryRun?: boolean | undefined
  /** Media types of responses besides `application/json`: texts, or documents if they end with +json. */
  readonly otherTypes?: readonly string[]
}

const SECURITY = [{ tokenAuth: [] }, { cookieAuth: [] }]

const contentOf = (types: readonly string[]): JsonObject =>
  Object.fromEntries(types.map((type) => [type, { schema: { type: type.endsWith('+json') ? 'object' : 'string' } }]))

/** An operation object. */
export function operation(described: Operation): JsonObject {
  const { id, summary, description, tag, body, example, form, status, answer, otherTypes = [] } = described
  const { background, hasDryRun } = described
  const parameters = [
    ...(described.parameters ?? []),
    ...(hasDryRun && status === 201 ? [IDEMPOTENCY_PARAMETER] : []),
    ...(background ? [BACKGROUND_PARAMETER] : []),
    ...(hasDryRun ? [DRY_RUN_PARAMETER] : []),
  ]
  return {
    operationId: id,
    summary,
    ...(description && { description }),
    ...(parameters.length > 0 && { parameters }),
    tags: [tag],
    ...(body && {
      requestBody: {
        content: {
          ...jsonContent(body, example),
          ...(form && { 'multipart/form-data': { schema: form } }),
        },
        required: true,
      },
    }),
    security: SECURITY,
    responses: {
      [status]: answer
        ? { description: 'Done', content: { ...jsonContent(answer), ...contentOf(otherTypes) } }
        : { description: 'Success, without content' },
      ...(background && ACCEPTED),
      ...(hasDryRun && status !== 200 && TRIED),
      ...refusalsOf(described),
    },
  }
}

/** The error responses of an operation, by status. */
function refusalsOf({ parameters = [], hasDryRun: isWrite, status }: Operation): JsonObject {
  return {
    ...REFUSALS,
    ...(parameters.includes(ID_PARAMETER) && refused(404)),
    ...(isWrite && status === 204 && refused(409)),
    ...(parameters.includes(IF_MATCH_PARAMETER) && refused(412)),
    ...(isWrite && refused(413, 507)),
    ...(isWrite && status === 201 && refused(422)),
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
  const [singular, plural] = model.definition.labels
  const response = schemaReference(names.response)
  const whole = schemaReference(names.whole)
  const change = schemaReference(names.change)
  const inBranch = branchParameters(registry, model)
  const parameters = [...inBranch, ID_PARAMETER, IF_MATCH_PARAMETER]
  const background = !hasSecrets(model)
  const hasFiles = [...model.fields.values()].some(({ kind }) => kind === 'file')
  const formOf = (schema: JsonObject) => (hasFiles ? schema : undefined)
  const examples = bodyExamples(registry, model)
  const listOf = (example: JsonObject | undefined) => example && [{ id: 1, ...example }]
  const of = (operations: Readonly<Record<string, JsonObject>>) =>
    Object.fromEntries(Object.entries(operations).filter(([method]) => methods.has(method.toUpperCase())))
  return {
    [`/api/${path}/`]: of({
      get: operation({
        id: `${prefix}_list`,
        description: `A page of the ${plural} that the user may view and that match all filters.`,
        summary: `List ${plural}`,
        tag,
        parameters: listParameters(registry, model),
        status: 200,
        answer: schemaReference(names.page),
      }),
      post: operation({
        id: `${prefix}_create`,
        description:
          'The body is an object, or a list, which is created as a whole or not at all. Related objects are given by their ids, or by attributes that identify them.',
        parameters: inBranch,
        hasDryRun: true,
        summary: `Create one or more ${plural}`,
        tag,
        body: oneOrMany(whole),
        example: examples?.whole,
        form: formOf(whole),
        // The response of background jobs is left out: otherwise typed clients would get one of two types for each
        // object that they create.
        status: 201,
        answer: oneOrMany(response),
      }),
      put: operation({
        id: `${prefix}_bulk_update`,
        description:
          'The body is a list of whole objects with their ids; fields that it omits get their defaults. All of them are replaced, or none.',
        hasDryRun: true,
        summary: `Replace several ${plural}`,
        tag,
        parameters: [MATCH_PARAMETER, ...inBranch],
        body: many(schemaReference(names.bulkWhole)),
        example: listOf(examples?.whole),
        background,
        status: 200,
        answer: many(response),
      }),
      patch: operation({
        id: `${prefix}_bulk_partial_update`,
        description:
          'The body is a list of objects with their ids and the fields to change. All of them are changed, or none.',
        parameters: inBranch,
        hasDryRun: true,
        summary: `Change several ${plural}`,
        tag,
        body: many(schemaReference(names.bulkChange)),
        example: listOf(examples?.change),
        background,
        status: 200,
        answer: many(response),
      }),
      delete: operation({
        id: `${prefix}_bulk_destroy`,
        description:
          'The body is a list of objects with their ids. All of them are deleted, with what belongs to them, or none.',
        parameters: inBranch,
        hasDryRun: true,
        summary: `Delete several ${plural}`,
        tag,
        // Objects may be sent back as they were read; only their ids are used.
        body: many(schemaReference(names.bulkChange)),
        example: listOf({}),
        background,
        status: 204,
      }),
    }),
    [`/api/${path}/{id}/`]: of({
      get: operation({
        id: `${prefix}_retrieve`,
        description: `The ${singular} with this id, and its ETag, which a later change can name in \`If-Match\`.`,
        summary: `Get one ${singular}`,
        tag,
        parameters: [...FIELD_PARAMETERS, ...timeParameters(model), ...inBranch, ID_PARAMETER],
        status: 200,
        answer: response,
      }),
      put: operation({
        id: `${prefix}_update`,
        description: 'The body is the whole object; fields that it omits get their defaults.',
        hasDryRun: true,
        summary: `Replace one ${singular}`,
        tag,
        parameters,
        body: whole,
        example: examples?.whole,
        form: formOf(whole),
        status: 200,
        answer: response,
      }),
      patch: operation({
        id: `${prefix}_partial_update`,
        description: 'The body has the fields to change.',
        hasDryRun: true,
        summary: `Change one ${singular}`,
        tag,
        parameters,
        body: change,
        example: examples?.change,
        form: formOf(change),
        status: 200,
        answer: response,
      }),
      delete: operation({
        id: `${prefix}_destroy`,
        description:
          'The object is deleted, with what belongs to it. If other objects still need it, the request is refused with 409.',
        hasDryRun: true,
        summary: `Delete one ${singular}`,
        tag,
        parameters,
        status: 204,
      }),
    }),
  }
}
