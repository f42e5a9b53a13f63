import type { Action } from '../actions/action.ts'
import type { Model } from '../schema/registry.ts'
import type { ApiRequest } from './api-request.ts'
import type { HttpResponse } from './response.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type Handler = (request: ApiRequest) => Promise<HttpResponse>

/** What answers at one path. HEAD follows from GET; OPTIONS everything has. */
export interface Endpoint {
  /** Title in the answer to OPTIONS: `Site List`. */
  readonly name: string
  readonly description: string
  readonly methods: Readonly<Partial<Record<Method, Handler>>>
  /** Set for collections and details, whose OPTIONS lists fields and whose writes need a writing token. */
  readonly model?: Model
  /** Answers anybody: no token is needed, and a wrong one does not matter. */
  readonly isPublic?: boolean
  /** Answers anybody, but looks who asks: nobody has to sign in, and a wrong token is refused. */
  readonly isOpen?: boolean
  /** Answers to GET follow from the address, the sender and the data alone, and may be kept until one of them changes. */
  readonly isRemembered?: boolean
  /** The handler looks at Accept and `format` itself. */
  readonly negotiates?: boolean
  /** There is a page for people nevertheless. */
  readonly hasPage?: boolean
  /** Writes need a writing token, as those of a model's endpoints do. */
  readonly needsWriter?: boolean
  /** Methods that a token may use which may only read. */
  readonly takesReaders?: ReadonlySet<string>
  /** Methods that change nothing although they usually would. */
  readonly reading?: ReadonlySet<string>
  /** Endpoints beyond create, read, update and delete of the model's objects, where this is the endpoint of one. */
  readonly actions?: readonly Action[]
  /** Answers as the trace of an object. */
  readonly isTrace?: boolean
  /** A file: its path has no slash at the end. */
  readonly isFile?: boolean
}

const ORDER: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** The methods of an endpoint in the order in which Allow lists them. */
export function allowedMethods({ methods, model, isTrace }: Endpoint): readonly string[] {
  const own = ORDER.filter((method) => methods[method])
  const all = methods.GET ? [...own, 'HEAD', 'OPTIONS'] : [...own, 'OPTIONS']
  // The reference takes its action "trace" for the method of that name.
  return isTrace || model?.fields.has(TRACED) ? [...all, 'TRACE'] : all
}

/** Field of the models whose connections can be traced. */
const TRACED = 'connected_endpoints'
