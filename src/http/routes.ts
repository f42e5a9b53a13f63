import type { Endpoint } from './endpoint.ts'

/** Where a path leads. */
export interface Route {
  readonly endpoint: Endpoint
  /** As it was added: `/api/dcim/sites/:id/`. */
  readonly pattern: string
  readonly parameters: readonly string[]
}

/** Stands in a pattern for one segment that may be anything without a point: an id, or a wrong one. */
export const ID = ':id'

/** Stands at the end of a pattern for everything that follows, slashes and all. */
export const REST = '*'

/**
 * Finds the endpoint of a path. Patterns are paths below the base path; a segment that is spelled out goes before `:id`.
 */
export class Routes {
  readonly #root: Node = newNode()

  add(pattern: string, endpoint: Endpoint): void {
    const node = this.#nodeAt(pattern)
    if (node.endpoint) throw new Error(`Two endpoints answer at ${pattern}`)
    node.endpoint = endpoint
    node.pattern = pattern
  }

  /** As `add`; where an endpoint answers already, it gets the methods of the other one. */
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

  /** Undefined where nothing answers. The slash at the end is not looked at. */
  find(path: string): Route | undefined {
    const parameters: string[] = []
    const segments = segmentsOf(path)
    let node: Node | undefined = this.#root
    for (const [index, segment] of segments.entries()) {
      const rest: Node | undefined = node.next.get(REST)
      if (rest) return routeTo(rest, [segments.slice(index).join('/')])
      const exact: Node | undefined = node.next.get(segment)
      if (!exact && !segment.includes('.')) parameters.push(segment)
      node = exact ?? (segment.includes('.') ? undefined : node.next.get(ID))
      if (!node) return undefined
    }
    return routeTo(node, parameters)
  }
}

const routeTo = ({ endpoint, pattern }: Node, parameters: readonly string[]): Route | undefined =>
  endpoint && { endpoint, pattern, parameters }

interface Node {
  readonly next: Map<string, Node>
  endpoint: Endpoint | undefined
  pattern: string
}

const newNode = (): Node => ({ next: new Map(), endpoint: undefined, pattern: '' })

const segmentsOf = (path: string): readonly string[] => path.replace(/^\/|\/$/g, '').split('/')
