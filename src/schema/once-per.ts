/**
 * A value that follows from an object: made at first use and kept as long as the object. Further arguments are passed on
 * to `make`; the value must not depend on them. For objects that live long, such as models: V8 releases what belongs to others only when
 * it collects the whole heap.
 */
export function oncePer<Key extends object, Rest extends readonly unknown[], T>(
  make: (key: Key, ...rest: Rest) => T,
): (key: Key, ...rest: Rest) => T {
  // In a box, so that `undefined` is a value too.
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
