import { LRUCache } from 'lru-cache'
import type { ResultColumns } from './fields.ts'

/** Whether and under which name a statement is kept prepared on one connection. */
interface PreparedStatement {
  /** Undefined: this text has not occurred often enough; run it without a name. */
  readonly name: string | undefined
  /** The server does not know the name yet. */
  readonly isNew: boolean
  /** Its result columns, if they are known from an earlier execution: the server refuses the statement when they change. */
  readonly fields: ResultColumns | undefined
  /** Name of a statement to be closed on the server to make room. */
  readonly evicted: string | undefined
}

/** A statement under its name. */
interface Entry {
  readonly name: string
  fields: ResultColumns | undefined
}

const UNNAMED: PreparedStatement = {
  ...{ name: undefined, isNew: true, fields: undefined, evicted: undefined },
}
/** Statements of this length are built for one batch and rarely repeat. */
const LONGEST = 20_000

/**
 * The prepared statements of one connection, at most `limit`; the least recently used one is removed first. With a
 * limit of 0 none is prepared. A text is prepared when it occurs for the second time, so that one-off filters evict
 * nothing.
 */
export class StatementCache {
  readonly #isEnabled: boolean
  readonly #entries: LRUCache<string, Entry>
  readonly #seenOnce: LRUCache<string, true>
  #next = 0
  #evicted: string | undefined

  constructor(limit: number) {
    this.#isEnabled = limit > 0
    const max = Math.max(limit, 1)
    this.#seenOnce = new LRUCache({ max })
    this.#entries = new LRUCache({
      max,
      dispose: ({ name }, _text, reason) => {
        if (reason === 'evict') this.#evicted = name
      },
    })
  }

  choose(text: string): PreparedStatement {
    if (!this.#isEnabled || text.length > LONGEST) return UNNAMED
    const cached = this.#entries.get(text)
    if (cached) return { ...cached, isNew: false, evicted: undefined }
    if (!this.#seenOnce.delete(text)) {
      this.#seenOnce.set(text, true)
      return UNNAMED
    }
    const name = `c${this.#next++}`
    this.#evicted = undefined
    this.#entries.set(text, { name, fields: undefined })
    return { name, isNew: true, fields: undefined, evicted: this.#evicted }
  }

  /** Records the result columns of the statement that is prepared under the name, if it still is. */
  describe(text: string, name: string, fields: ResultColumns): void {
    const entry = this.#entries.peek(text)
    if (entry?.name === name) entry.fields = fields
  }

  /** To be called when preparing failed, or when the server's copy has become useless. */
  forget(text: string): void {
    this.#entries.delete(text)
  }

  /** Drops all statements; names are not used again. */
  clear(): void {
    this.#entries.clear()
  }
}
