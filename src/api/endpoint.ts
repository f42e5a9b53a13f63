import type { Model } from '../schema/registry.ts'
import type { Action } from './actions/action.ts'
import type { ApiRequest } from './api-request.ts'
import type { HttpResponse } from './response.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type Handler = (request: ApiRequest) => Promise<HttpResponse>

/** One path with its handlers. HEAD is derived from GET; every endpoint has OPTIONS. */
export interface Endpoint {
  /** Title in the response to OPTIONS: `Site List`. */
  readonly name: string
  readonly description: string
  readonly methods: Readonly<Partial<Record<Method, Handler>>>
  /**
   * Set for collections and details, whose OPTIONS response lists fields and whose writes need a token with write
   * access.
   */
  readonly model?: Model
  /** Needs no authentication and ignores credentials, even invalid ones. */
  readonly isPublic?: boolean
  /** Needs no authentication, but reads credentials and refuses invalid ones. */
  readonly isOpen?: boolean
  /**
   * Whole responses to GET are cached: they depend only on the URL, the sender and the data, and are often requested
   * again.
   */
  readonly isCached?: boolean
  /** The handler reads Accept and `format` itself. */
  readonly negotiates?: boolean
  /** Responses to GET can be streams of server-sent events, for clients that ask for them. */
  readonly offersEventStream?: boolean
  /** Has an HTML page although it negotiates its media type itself. */
  readonly hasPage?: boolean
  /** Writes need a token with write access, like those of a model's endpoints. */
  readonly needsWriter?: boolean
  /** Methods that a read-only token may use. */
  readonly takesReaders?: ReadonlySet<string>
  /** Methods that change nothing, beyond the safe ones. */
  readonly reading?: ReadonlySet<string>
  /** Methods that `dry_run` tries: their only effect is a write. */
  readonly dryRuns?: ReadonlySet<string>
  /**
   * Response text for unsupported methods, which are all except its own, including HEAD and OPTIONS. Refusals before
   * its handlers are plain text.
   */
  readonly otherMethods?: string
  /** Actions of the model's objects, if this is the endpoint of an object. */
  readonly actions?: readonly Action[]
  /** Response to an error in the endpoint's own form; undefined for errors of the service. */
  readonly refusal?: (error: unknown) => HttpResponse | undefined
  /** Reads data without past versions: `as_of` is refused. */
  readonly hasNoHistory?: boolean
  /** A page for people: it reads `as_of` itself, so that its refusals are pages too. */
  readonly isPage?: boolean
  /** The endpoint traces the connections of an object. */
  readonly isTrace?: boolean
  /** Serves a file: its path has no trailing slash. */
  readonly isFile?: boolean
  /** For probes, which may send no Host header, or a wrong one. */
  readonly needsNoHost?: boolean
}

const ORDER: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Methods of an endpoint in the order of the Allow header. */
export function allowedMethods({ methods, model, isTrace, otherMethods }: Endpoint): readonly string[] {
  const methodsHere = ORDER.filter((method) => methods[method])
  if (otherMethods !== undefined) return methodsHere
  const all = methods.GET ? [...methodsHere, 'HEAD', 'OPTIONS'] : [...methodsHere, 'OPTIONS']
  // In the reference the action "trace" is also listed as the HTTP method TRACE.
  return isTrace || model?.fields.has(TRACED) ? [...all, 'TRACE'] : all
}

/** Field of the models whose connections can be traced. */
const TRACED = 'connected_endpoints'
