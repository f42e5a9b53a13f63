import { ownValue } from '../schema/json.ts'
import type { Model } from '../schema/registry.ts'
import type { Action } from './actions/action.ts'
import type { ApiRequest } from './api-request.ts'
import type { HttpResponse } from './response.ts'
import { isSafe } from './transport/safe-methods.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type Handler = (request: ApiRequest) => Promise<HttpResponse>

/** One method of an endpoint. */
export interface Operation {
  readonly handle: Handler
  /** Changes nothing, whatever the method: allowed in maintenance mode and as of an earlier time. */
  readonly isReading?: boolean
  /** Allowed with a read-only token, although the method is not a safe one. */
  readonly takesReadingTokens?: boolean
  /** Takes the request of a token that observes; without it, such a token cannot write here. */
  readonly observe?: Handler | undefined
  /** Its only effect is a write through `writeRequestOf`, so `dry_run=true` can try it; otherwise that is refused. */
  readonly hasDryRun?: boolean
  /** All that it changes is kept apart by branches, so plans of agents may contain it. */
  readonly isPlannable?: boolean
  /**
   * Whole responses are cached: they depend only on the URL, the sender and the data, and are often requested again.
   */
  readonly isCached?: boolean
}

/**
 * What an endpoint serves.
 * - `api`: JSON, or to browsers a page that shows it.
 * - `text`: as `api`, and plain text for clients that prefer it; the handler reads Accept and `format`.
 * - `page`: a page for people. It reads `as_of` and the branch itself, so that its refusals are pages too.
 * - `file`: a file; its path needs no trailing slash.
 * - `probe`: a state for probes, which may send no Host header, or a wrong one; otherwise as `file`.
 * - `other`: one media type whatever the client accepts.
 */
type EndpointKind = 'api' | 'text' | 'page' | 'file' | 'probe' | 'other'

/** One path with its methods. HEAD is derived from GET; every endpoint has OPTIONS. */
export interface Endpoint {
  /** Title in the response to OPTIONS: `Site List`. */
  readonly name: string
  readonly description: string
  /** `api` by default. */
  readonly kind?: EndpointKind
  /**
   * Whom it serves without credentials: `public` ignores credentials, even invalid ones; `open` reads credentials and
   * refuses invalid ones. Without it, credentials are required, unless anonymous reading is enabled.
   */
  readonly access?: 'public' | 'open'
  readonly methods: Readonly<Partial<Record<Method, Operation>>>
  /** Set for collections and details, whose OPTIONS response lists fields. */
  readonly model?: Model
  /** Responses to GET can be streams of server-sent events, for clients that ask for them. */
  readonly offersEventStream?: boolean | undefined
  /**
   * Response text for unsupported methods, which are all except its own, including HEAD and OPTIONS. Refusals before
   * its handlers are plain text.
   */
  readonly otherMethods?: string
  /** Actions of the model's objects, if this is the endpoint of an object. */
  readonly actions?: readonly Action[]
  /** Response to an error in the endpoint's own form; undefined for errors of the service. */
  readonly refusal?: (error: unknown) => HttpResponse | undefined
  /** Reads data without past versions, such as jobs or the search index: `as_of` is refused. */
  readonly hasNoHistory?: boolean | undefined
  /** The endpoint traces the connections of an object. */
  readonly isTrace?: boolean
}

/** The operation of the method; HEAD is answered by that of GET. */
export const operationOf = ({ methods }: Pick<Endpoint, 'methods'>, method: string): Operation | undefined =>
  ownValue(methods, method === 'HEAD' ? 'GET' : method)

/** Whether a request of the method changes nothing. */
export const isReading = (operation: Operation | undefined, method: string): boolean =>
  isSafe(method) || operation?.isReading === true

/** Whether the endpoint's path needs no trailing slash. */
export const isFile = ({ kind }: Endpoint): boolean => kind === 'file' || kind === 'probe'

const ORDER: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Methods of an endpoint in the order of the Allow header. */
export function allowedMethods({ methods, model, isTrace, otherMethods }: Endpoint): readonly string[] {
  const methodsHere = ORDER.filter((method) => methods[method])
  if (otherMethods !== undefined) return methodsHere
  const all = methods.GET ? [...methodsHere, 'HEAD', 'OPTIONS'] : [...methodsHere, 'OPTIONS']
  // In NetBox the action "trace" is also listed as the HTTP method TRACE.
  return isTrace || model?.fields.has(TRACED) ? [...all, 'TRACE'] : all
}

/** Field of the models whose connections can be traced. */
const TRACED = 'connected_endpoints'
