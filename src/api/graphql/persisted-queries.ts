import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { QueryRefused } from './errors.ts'

/** Queries that clients have sent with their hash, by the hash. Each process has its own. */
const queries = new LRUCache<string, string>({
  max: 1_000,
  maxSize: 10_000_000,
  sizeCalculation: (text) => text.length + 1,
})

/**
 * The query of a request: its text, or the one with the SHA-256 hash in `extensions.persistedQuery`. Throws
 * QueryRefused for an unknown hash, after which clients send hash and query together, and for a hash that does not
 * match the query. Anything but text is returned unchanged.
 */
export function persistedQuery(query: unknown, extensions: unknown): unknown {
  const hash = hashIn(extensions)
  if (hash === undefined || (query !== undefined && query !== null && typeof query !== 'string')) {
    return query
  }
  if (typeof query !== 'string') {
    const registered = queries.get(hash)
    if (registered === undefined) throw refused('PersistedQueryNotFound')
    return registered
  }
  if (createHash('sha256').update(query).digest('hex') !== hash) {
    throw refused('provided sha does not match query')
  }
  queries.set(hash, query)
  return query
}

const refused = (message: string): QueryRefused => new QueryRefused([{ message }])

function hashIn(extensions: unknown): string | undefined {
  if (typeof extensions !== 'object' || extensions === null) return undefined
  const { persistedQuery: persisted } = extensions as Record<string, unknown>
  if (typeof persisted !== 'object' || persisted === null) return undefined
  const { sha256Hash } = persisted as Record<string, unknown>
  return typeof sha256Hash === 'string' ? sha256Hash : undefined
}
