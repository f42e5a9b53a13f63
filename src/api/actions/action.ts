import type { Actor } from '../../identity/actor.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import type { Service } from '../../service.ts'
import type { DryRun } from '../../write/dry-run/dry-run.ts'
import type { IdempotentWrite } from '../../write/idempotent-write.ts'

/** A request for an action. The permission that the action declares has been checked. */
export interface ActionRequest {
  readonly service: Service
  readonly actor: Actor
  /**
   * Authenticates the sender once more, for responses that last: tokens may be revoked and permissions change meanwhile. Throws
   * `unauthenticated`.
   */
  readonly currentActor: () => Promise<Actor>
  /** UUID of the request, for change records. */
  readonly id: string
  readonly method: string
  /** For a write that is only tried; see `dryRun` of `Operation`. */
  readonly dryRun?: DryRun | undefined
  /** For a request that may be sent again. */
  readonly idempotentWrite?: IdempotentWrite | undefined
  /** Scheme, host and base path as the client sees them; no slash at the end. */
  readonly base: string
  /** The complete URL as the client sees it. */
  readonly url: URL
  readonly search: URLSearchParams
  /** Values of the path's `:names`, in order. */
  readonly parameters: readonly string[]
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The client prefers plain text; false if the action does not offer it. */
  readonly wantsText: boolean
  /** The client asks for server-sent events. */
  readonly wantsEventStream: boolean
  readonly body: {
    /**
     * The parsed document; undefined if there is none. With `exact` or a model, its numbers are exact, as for other
     * requests. Throws `malformed`, `unsupportedMediaType`.
     */
    read(model?: Model | 'exact'): Promise<unknown>
  }
  /** Aborted when the client has disconnected or the time limit has passed; work for the response is useless then. */
  readonly signal: () => AbortSignal
}

export interface ActionResponse {
  readonly status: number
  /** Absent: no body. JSON text unless `type` says otherwise. An iterable of parts is sent part by part. */
  readonly body?: string | AsyncIterable<Uint8Array>
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
}

export type ActionMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** One method of an action: permission, body, response and handler. */
export interface Operation {
  /**
   * Permissions that are all required, by name, each with its model; without them the request gets 403 before
   * anything is read. `user`: any signed-in user; `superuser`: superusers only.
   */
  readonly permission: Readonly<Record<string, string>> | 'user' | 'superuser'
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
  /**
   * Its only effect is a write through `writeRequestOf`, so `dry_run=true` can try it. Without it such requests are
   * refused.
   */
  readonly hasDryRun?: true
  /** Changes nothing, whatever the method: allowed in maintenance mode. */
  readonly isReading?: boolean
  /** Allowed with a read-only token. */
  readonly takesReadingTokens?: boolean
  /** Suffix of the operation's id in OpenAPI, if it differs from the method's usual one: `retrieve_by_name`. */
  readonly verb?: string
  /** Summary in the OpenAPI document; derived from the path by default. */
  readonly summary?: string
  readonly handle: (request: ActionRequest) => Promise<ActionResponse>
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
  /** Plain text is available for clients that prefer it; `wantsText` says so. */
  readonly offersText?: boolean
  /** Reads data without past versions, such as jobs or the search index: `as_of` is refused. */
  readonly hasNoHistory?: true
  /** Server-sent events are available for clients that ask for them; `wantsEventStream` says so. */
  readonly offersEventStream?: boolean
  readonly methods: Readonly<Partial<Record<ActionMethod, Operation>>>
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

/** A response with this JSON text. */
export const answerText = (body: string, status = 200): ActionResponse => ({ status, body })
export const answerJson = (body: unknown, status = 200): ActionResponse => ({
  status,
  body: JSON.stringify(body),
})
