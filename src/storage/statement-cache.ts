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
 * The prepared statements of one connection, at most `limit`, least recently used out first. A text is
 * prepared when it comes for the second time, so that filters that are not repeated evict nothing.
 */
export class StatementCache {
  readonly #limit: number
  readonly #names = new Map<string, string>()
  readonly #seenOnce = new Set<string>()
  #next = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  choose(text: string): PreparedStatement {
    if (text.length > LONGEST) return UNNAMED
    const known = this.#names.get(text)
    if (known !== undefined) {
      // Maps keep the order of insertion: taking it out and in again makes it the youngest.
      this.#names.delete(text)
      this.#names.set(text, known)
      return { name: known, isNew: false, evicted: undefined }
    }
    if (!this.#seenOnce.delete(text)) {
      this.#seenOnce.add(text)
      if (this.#seenOnce.size > this.#limit) this.#seenOnce.delete(first(this.#seenOnce))
      return UNNAMED
    }
    const name = `c${this.#next++}`
    const evicted = this.#names.size >= this.#limit ? this.#evict() : undefined
    this.#names.set(text, name)
    return { name, isNew: true, evicted }
  }

  /** To be called when preparing failed, or the server's copy is of no use any more. */
  forget(text: string): void {
    this.#names.delete(text)
  }

  /** Drops all statements; names are not used again. */
  clear(): void {
    this.#names.clear()
  }

  #evict(): string | undefined {
    const text = first(this.#names.keys())
    const name = this.#names.get(text)
    this.#names.delete(text)
    return name
  }
}

/** The oldest entry of a collection that is not empty. */
function first(entries: Iterable<string>): string {
  for (const entry of entries) return entry
  throw new Error('The collection is empty')
}
