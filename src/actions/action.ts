import type { Actor } from '../auth/actor.ts'
import type { JsonObject } from '../schema/json.ts'
import type { Model } from '../schema/registry.ts'
import type { Service } from '../service.ts'

/** A request for an action. The permission that the action declares has been checked. */
export interface ActionRequest {
  readonly service: Service
  readonly actor: Actor
  /** UUID of the request, for change records. */
  readonly id: string
  /** Scheme, host and base path as the client sees them; no slash at the end. */
  readonly base: string
  /** The whole address as the client sees it. */
  readonly url: URL
  readonly search: URLSearchParams
  /** What stands in the path for its `:names`, in their order. */
  readonly parameters: readonly string[]
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The client would rather have plain text; never where the action does not offer it. */
  readonly wantsText: boolean
  readonly body: {
    /** The parsed document, undefined where there is none. Throws `malformed`, `unsupportedMediaType`. */
    read(model?: Model): Promise<unknown>
  }
  /** Signal that is aborted when the client has gone or has waited too long; for work that would be in vain then. */
  readonly signal: () => AbortSignal
}

export interface ActionResponse {
  readonly status: number
  /** Absent: no body. JSON text unless `type` says something else. */
  readonly body?: string
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
}

export type ActionMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** One method of an action: who may, what it takes and gives, and what it does. */
export interface Operation {
  /**
   * Permissions that are all needed, by name, each with the model that it is asked of; whoever has none
   * gets 403 before anything is read. `user`: whoever has signed in; `superuser`: nobody else.
   */
  readonly permission: Readonly<Record<string, string>> | 'user' | 'superuser'
  /** Query parameters of its own, as OpenAPI has them. */
  readonly parameters?: readonly JsonObject[]
  /** OpenAPI schema of the body. */
  readonly body?: JsonObject
  /** The body holds a file, so that it comes as a form. */
  readonly takesFile?: true
  /** OpenAPI schema of the answer; absent where nothing comes back. */
  readonly answer?: JsonObject
  /** Media types, besides JSON, of which the answer may be a text. */
  readonly otherTypes?: readonly string[]
  /** Status of success where it is not 200. */
  readonly status?: 201 | 204
  /** Changes nothing, whatever its method: it works in maintenance mode too. */
  readonly isReading?: boolean
  /** A token that may only read may do it all the same. */
  readonly takesReadingTokens?: boolean
  /** Ending of the operation's id in OpenAPI where it is not the method's own: `retrieve_by_name`. */
  readonly verb?: string
  readonly handle: (request: ActionRequest) => Promise<ActionResponse>
}

/**
 * An endpoint beyond create, read, update and delete. Its route and its part of OpenAPI follow from it. At the
 * path of a model's objects (`extras/scripts/:id`) its methods come to theirs, or in their place.
 */
export interface Action {
  /** Below /api/, no slashes at the ends; a segment such as `:id` may be anything without a point. */
  readonly path: string
  /** Name in the answer to OPTIONS. */
  readonly title: string
  readonly description?: string
  /** Besides JSON there is plain text to be had, for clients that accept it: `wantsText` says so. */
  readonly offersText?: boolean
  readonly methods: Readonly<Partial<Record<ActionMethod, Operation>>>
  /** OpenAPI schemas that `body` and `answer` refer to, beside those of the models. */
  readonly schemas?: Readonly<Record<string, JsonObject>>
}

/** As it stands; a wrong permission or a missing answer does not compile. */
export const action = <const A extends Action>(declaration: A): A => declaration

/** Reference to a schema of the OpenAPI document: a model's (`Prefix`, `PrefixRequest`) or an action's. */
export const schema = (name: string) => ({ $ref: `#/components/schemas/${name}` })
export const listOf = (items: JsonObject): JsonObject => ({ type: 'array', items })
export const oneOrMany = (items: JsonObject): JsonObject => ({ oneOf: [items, listOf(items)] })
/** An object about which nothing more is said. */
export const ANY_OBJECT: JsonObject = { type: 'object', additionalProperties: {} }

/** JSON text as it is. */
export const answerText = (body: string, status = 200): ActionResponse => ({ status, body })
export const answerJson = (body: unknown, status = 200): ActionResponse => ({
  status,
  body: JSON.stringify(body),
})
