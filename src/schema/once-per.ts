import { LRUCache } from 'lru-cache'

/**
 * A value derived from an object: computed on first use and kept as long as the object. Further arguments are passed on
 * to `make`; the value must not depend on them. For long-lived objects such as models: V8 releases the values of
 * short-lived objects only when it collects the whole heap.
 */
export function oncePer<Key extends object, Rest extends readonly unknown[], T>(
  make: (key: Key, ...rest: Rest) => T,
): (key: Key, ...rest: Rest) => T {
  // Wrapped, so that `undefined` is a value too.
  const made = new WeakMap<Key, { readonly value: T }>()
  return (key, ...rest) => {
    let box = made.get(key)
    if (!box) {
      box = { value: make(key, ...rest) }
      made.set(key, box)
    }
    return box.value
  }
}

/**
 * As `oncePer`, for each object and text; keeps the values of the `max` most recently used texts. Values of texts
 * longer than `longest` characters are not kept.
 */
export function oncePerText<Owner extends object, Rest extends readonly unknown[], T extends object>(
  max: number,
  make: (owner: Owner, text: string, ...rest: Rest) => T,
  { longest = Number.POSITIVE_INFINITY }: { readonly longest?: number } = {},
): (owner: Owner, text: string, ...rest: Rest) => T {
  const valuesOf = oncePer((_owner: Owner) => new LRUCache<string, T>({ max }))
  return (owner, text, ...rest) => {
    if (text.length > longest) return make(owner, text, ...rest)
    const values = valuesOf(owner)
    const cached = values.get(text)
    if (cached) return cached
    const value = make(owner, text, ...rest)
    values.set(text, value)
    return value
  }
}
