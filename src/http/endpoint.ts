import type { Model } from '../schema/registry.ts'
import type { Answer } from './answer.ts'
import type { ApiRequest } from './api-request.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type Handler = (request: ApiRequest) => Promise<Answer>

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
  /** The handler looks at Accept and `format` itself. */
  readonly negotiates?: boolean
}

const ORDER: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** The methods of an endpoint in the order in which Allow lists them. */
export function allowedMethods({ methods }: Endpoint): readonly string[] {
  const own = ORDER.filter((method) => methods[method])
  return methods.GET ? [...own, 'HEAD', 'OPTIONS'] : [...own, 'OPTIONS']
}
