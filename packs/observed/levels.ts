/** The objects in levels: each is in a later one than those that it needs, except in a circle. `needs`: some of the objects. */
export function levels<T>(objects: Iterable<T>, needs: (object: T) => readonly T[]): readonly (readonly T[])[] {
  const levelOf = new Map<T, number>()
  const visiting = new Set<T>()
  const level = (object: T): number => {
    const earlier = levelOf.get(object)
    if (earlier !== undefined) return earlier
    visiting.add(object)
    const needed = needs(object).flatMap((other) => (visiting.has(other) ? [] : [level(other) + 1]))
    visiting.delete(object)
    const result = Math.max(0, ...needed)
    levelOf.set(object, result)
    return result
  }
  const result: T[][] = []
  for (const object of objects) {
    const index = level(object)
    result[index] ??= []
    result[index].push(object)
  }
  return result.filter((members) => members !== undefined)
}
