import type { ApiVersion } from '../base/api-version.ts'
import type { Endpoint } from './endpoint.ts'

/** Result of a route lookup. */
export interface Route {
  readonly endpoint: Endpoint
  /** The pattern as it was added: `/api/dcim/sites/:id/`. */
  readonly pattern: string
  readonly parameters: readonly string[]
  /** The endpoint of the path in an earlier version of the API; undefined if the version does not have the path. */
  inVersion(version: ApiVersion): Endpoint | undefined
}

/** Matches one segment without a dot in a pattern: an id, valid or not. */
export const ID = ':id'

/** Matches one segment with a dot in a pattern: the name of an object within another. */
export const DOTTED = ':dotted'

/** Matches the rest of the path at the end of a pattern, including slashes. */
export const REST = '*'

/**
 * Finds the endpoint of a path. Patterns are paths below the base path; a literal segment takes precedence over
 * `:id` and `:dotted`.
 */
export class Routes {
  readonly #root: Node = newNode()
  readonly #earlier = new Map<ApiVersion, () => Routes>()

  /** Endpoints at the same paths for another API version; created for the first request in that version. */
  addVersion(version: ApiVersion, make: () => Routes): void {
    let made: Routes | undefined
    this.#earlier.set(version, () => {
      made ??= make()
      return made
    })
  }

  add(pattern: string, endpoint: Endpoint): void {
    const node = this.#nodeAt(pattern)
    if (node.endpoint) throw new Error(`There are two endpoints for ${pattern}`)
    node.endpoint = endpoint
    node.pattern = pattern
  }

  /** As `add`; an endpoint that exists already gets the additional methods. */
  extend(pattern: string, endpoint: Endpoint): void {
    const node = this.#nodeAt(pattern)
    const methods = { ...node.endpoint?.methods, ...endpoint.methods }
    node.endpoint = { ...endpoint, ...node.endpoint, methods }
    node.pattern = pattern
  }

  #nodeAt(pattern: string): Node {
    let node = this.#root
    for (const segment of segmentsOf(pattern)) {
      const next = node.next.get(segment) ?? newNode()
      node.next.set(segment, next)
      node = next
    }
    return node
  }

  /** The route of a path; undefined if there is none. A trailing slash is ignored. */
  find(path: string): Route | undefined {
    const parameters: string[] = []
    const segments = segmentsOf(path)
    let node: Node | undefined = this.#root
    for (const [index, segment] of segments.entries()) {
      const catchAll: Node | undefined = node.next.get(REST)
      if (catchAll) return this.#routeTo(catchAll, [segments.slice(index).join('/')])
      const exact: Node | undefined = node.next.get(segment)
      if (!exact) parameters.push(segment)
      node = exact ?? node.next.get(segment.includes('.') ? DOTTED : ID)
      if (!node) return undefined
    }
    return this.#routeTo(node, parameters)
  }

  #routeTo({ endpoint, pattern }: Node, parameters: readonly string[]): Route | undefined {
    if (!endpoint) return undefined
    const inVersion = (version: ApiVersion) => {
      // Each pattern is a path that leads to itself, or to a more general pattern.
      const earlier = this.#earlier.get(version)?.().find(pattern)
      return earlier?.pattern === pattern ? earlier.endpoint : undefined
    }
    return { endpoint, pattern, parameters, inVersion }
  }
}

interface Node {
  readonly next: Map<string, Node>
  endpoint: Endpoint | undefined
  pattern: string
}

const newNode = (): Node => ({ next: new Map(), endpoint: undefined, pattern: '' })

const segmentsOf = (path: string): readonly string[] => path.replace(/^\/|\/$/g, '').split('/')
