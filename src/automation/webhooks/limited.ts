/** Runs at most `most` pieces of work at a time; others wait in the order of their calls. */
export function limited(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      // The next one takes over this slot.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
