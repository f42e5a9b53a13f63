import type { Endpoint } from './endpoint.ts'

/** Result of a route lookup. */
export interface Route {
  readonly endpoint: Endpoint
  /** The pattern as it was added: `/api/dcim/sites/:id/`. */
  readonly pattern: string
  readonly parameters: readonly string[]
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
  #later = async (): Promise<void> => undefined

  add(pattern: string, endpoint: Endpoint): void {
    const node = this.#nodeAt(pattern)
    if (node.endpoint) throw new Error(`Two endpoints answer at ${pattern}`)
    node.endpoint = endpoint
    node.pattern = pattern
  }

  /** As `add`; an endpoint that exists already gets the additional methods. */
  extend(pattern: string, endpoint: Endpoint): void {
    const node = this.#nodeAt(pattern)
    const methods = { ...node.endpoint?.methods, ...endpoint.methods }
    const replaced = Object.keys(endpoint.methods)
    const own = [...(node.endpoint?.dryRuns ?? [])].filter((method) => !replaced.includes(method))
    const dryRuns = new Set([...own, ...(endpoint.dryRuns ?? [])])
    node.endpoint = { ...endpoint, ...node.endpoint, methods, dryRuns }
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

  /**
   * Adds endpoints by pattern as soon as a path is looked up that no other route answers. Only once for a table. The lookup throws for a
   * pattern that another route answers already, because it would be found or not depending on what was looked up before.
   */
  addLater(load: () => Promise<ReadonlyMap<string, Endpoint>>): void {
    let adding: Promise<void> | undefined
    const addAll = async (): Promise<void> => {
      const endpoints = await load()
      for (const pattern of endpoints.keys()) {
        if (this.find(pattern)) throw new Error(`Two endpoints answer at ${pattern}`)
      }
      for (const [pattern, endpoint] of endpoints) this.add(pattern, endpoint)
    }
    this.#later = async () => {
      adding ??= addAll()
      await adding
    }
  }

  /** As `find`, with the routes that are added later. */
  async findLater(path: string): Promise<Route | undefined> {
    await this.#later()
    return this.find(path)
  }

  /** The route of a path, of those that have been added; undefined where there is none. A trailing slash is ignored. */
  find(path: string): Route | undefined {
    const parameters: string[] = []
    const segments = segmentsOf(path)
    let node: Node | undefined = this.#root
    for (const [index, segment] of segments.entries()) {
      const rest: Node | undefined = node.next.get(REST)
      if (rest) return routeTo(rest, [segments.slice(index).join('/')])
      const exact: Node | undefined = node.next.get(segment)
      if (!exact) parameters.push(segment)
      node = exact ?? node.next.get(segment.includes('.') ? DOTTED : ID)
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
