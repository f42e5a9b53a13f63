interface Entry<Value> {
  readonly value: Value
  readonly bytes: number
}

/** Share of the room that one entry may take. */
const LARGEST_PART = 8

/** Entries of known size; those asked for longest ago go first when `limit` bytes are taken. */
export class BoundedMap<Key, Value> {
  readonly #limit: number
  readonly #entries = new Map<Key, Entry<Value>>()
  #bytes = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key)
    if (!entry) return undefined
    // Taken out and put in again: the map's first key is then the one that was asked for longest ago.
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.value
  }

  /** Keeps the value, unless it would take too much of the room by itself. */
  set(key: Key, value: Value, bytes: number): void {
    this.delete(key)
    if (bytes > this.#limit / LARGEST_PART) return
    this.#entries.set(key, { value, bytes })
    this.#bytes += bytes
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#limit) break
      this.delete(oldest)
    }
  }

  delete(key: Key): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0
    this.#entries.delete(key)
  }
}
