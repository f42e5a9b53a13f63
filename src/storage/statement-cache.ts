import { LRUCache } from 'lru-cache'

/** Whether and under which name a statement is kept prepared on one connection. */
export interface PreparedStatement {
  /** Undefined: this text has not come up often enough, run it without a name. */
  readonly name: string | undefined
  /** The server does not know the name yet. */
  readonly isNew: boolean
  /** Name of a statement to be closed on the server to make room. */
  readonly evicted: string | undefined
}

const UNNAMED: PreparedStatement = { name: undefined, isNew: true, evicted: undefined }
/** Statements of this length are built for one batch; their text will hardly come twice. */
const LONGEST = 20_000

/**
 * The prepared statements of one connection, at most `limit`, least recently used out first; with a limit of 0 none is prepared. A
 * text is prepared when it comes for the second time, so that filters that are not repeated evict nothing.
 */
export class StatementCache {
  readonly #isEnabled: boolean
  readonly #names: LRUCache<string, string>
  readonly #seenOnce: LRUCache<string, true>
  #next = 0
  #evicted: string | undefined

  constructor(limit: number) {
    this.#isEnabled = limit > 0
    const max = Math.max(limit, 1)
    this.#seenOnce = new LRUCache({ max })
    this.#names = new LRUCache({
      max,
      dispose: (name, _text, reason) => {
        if (reason === 'evict') this.#evicted = name
      },
    })
  }

  choose(text: string): PreparedStatement {
    if (!this.#isEnabled || text.length > LONGEST) return UNNAMED
    const known = this.#names.get(text)
    if (known !== undefined) return { name: known, isNew: false, evicted: undefined }
    if (!this.#seenOnce.delete(text)) {
      this.#seenOnce.set(text, true)
      return UNNAMED
    }
    const name = `c${this.#next++}`
    this.#evicted = undefined
    this.#names.set(text, name)
    return { name, isNew: true, evicted: this.#evicted }
  }

  /** To be called when preparing failed, or the server's copy is of no use any more. */
  forget(text: string): void {
    this.#names.delete(text)
  }

  /** Drops all statements; names are not used again. */
  clear(): void {
    this.#names.clear()
  }
}
