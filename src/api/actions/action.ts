import type { JsonObject } from '../../schema/json.ts'
import type { Method, Operation } from '../endpoint.ts'

/** Actions that endpoints demand. */
type NamedAction = 'view' | 'add' | 'change' | 'delete' | 'merge' | 'render' | 'render_config' | 'sync'

/** One method of an action, with what its route checks and what the OpenAPI document says of it. */
export interface ActionOperation extends Operation {
  /**
   * Permissions that are all required, by action, each with its model; without them the request gets 403 before
   * anything is read. `user`: any signed-in user; `superuser`: superusers only.
   */
  readonly permission: Readonly<Partial<Record<NamedAction, string>>> | 'user' | 'superuser'
  /** Further query parameters, in OpenAPI's form. */
  readonly parameters?: readonly JsonObject[]
  /** OpenAPI schema of the body. */
  readonly body?: JsonObject
  /** The body contains a file, so it is a form. */
  readonly takesFile?: true
  /** OpenAPI schema of the response; absent for an empty response. */
  readonly answer?: JsonObject
  /** Media types of plain text responses, in addition to JSON. */
  readonly otherTypes?: readonly string[]
  /** Status of a success other than 200. */
  readonly status?: 201 | 204
  /** Suffix of the operation's id in OpenAPI, if it differs from the method's usual one: `retrieve_by_name`. */
  readonly verb?: string
  /** Summary in the OpenAPI document; derived from the path by default. */
  readonly summary?: string
}

/**
 * An endpoint beyond create, read, update and delete. Its route and its part of the OpenAPI document are derived from
 * it. At the path of a model's objects (`extras/scripts/:id`), its methods extend or replace those of the model.
 */
export interface Action {
  /** Below /api/, without slashes at the ends; a segment such as `:id` matches any text without a dot. */
  readonly path: string
  /** Name in the response to OPTIONS. */
  readonly title: string
  readonly description?: string
  /** The path's parameter may also be a name with dots, such as `module.Script`. */
  readonly takesNames?: boolean
  /** Plain text is available for clients that prefer it: see `wantsText`. */
  readonly offersText?: boolean
  /** Reads data without past versions, such as jobs or the search index: `as_of` is refused. */
  readonly hasNoHistory?: true
  /** Server-sent events are available for clients that ask for them: see `wantsEventStream`. */
  readonly offersEventStream?: boolean
  readonly methods: Readonly<Partial<Record<Method, ActionOperation>>>
  /** OpenAPI schemas that `body` and `answer` refer to, in addition to those of the models. */
  readonly schemas?: Readonly<Record<string, JsonObject>>
}

/** Returns its argument; a wrong permission or a missing response does not compile. */
export const action = <const A extends Action>(declaration: A): A => declaration

/** Reference to a schema of the OpenAPI document: a model's (`Prefix`, `PrefixRequest`) or an action's. */
export const schema = (name: string) => ({ $ref: `#/components/schemas/${name}` })
export const listOf = (items: JsonObject): JsonObject => ({ type: 'array', items })
export const oneOrMany = (items: JsonObject): JsonObject => ({ oneOf: [items, listOf(items)] })
/** A parameter of the query string, as the OpenAPI document describes it. */
export const queryParameter = (name: string, description: string, type: JsonObject): JsonObject => ({
  in: 'query',
  name,
  description,
  schema: type,
})
/** An object without a described structure. */
export const ANY_OBJECT: JsonObject = { type: 'object', additionalProperties: {} }
