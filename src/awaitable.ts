/**
 * A value that may still be on its way. Most of what a page shows is cached, and a promise for each of its values would take longer than
 * the work on them, so what is there is passed on as it is.
 */
export type Awaitable<T> = T | Promise<T>

/** The result of `next` for the value: at once where the value is there. */
export const andThen = <T, R>(
  value: Awaitable<T>,
  next: (value: T) => Awaitable<R>,
): Awaitable<R> => (value instanceof Promise ? value.then(next) : next(value))

type AwaitedAll<T extends readonly unknown[] | []> = { -readonly [Key in keyof T]: Awaited<T[Key]> }

/** All values in their order, which are there as soon as each of them is. */
export const allValues = <T extends readonly unknown[] | []>(
  values: T,
): Awaitable<AwaitedAll<T>> =>
  values.some((value) => value instanceof Promise) ? Promise.all(values) : (values as AwaitedAll<T>) // none of them is a promise

/**
 * The results of `make` for all items, which it begins at once. A failure that it throws becomes a rejection: otherwise nothing would
 * receive the promises that it has made by then, and a rejection that nothing receives ends the process.
 */
export const mapAll = <Item, T>(
  items: readonly Item[],
  make: (item: Item) => Awaitable<T>,
): Awaitable<T[]> => allValues(items.map((item) => attempt(() => make(item))))

function attempt<T>(make: () => Awaitable<T>): Awaitable<T> {
  try {
    return make()
  } catch (error) {
    return Promise.reject(error)
  }
}

/** Takes the steps one after the other, from that index on. Waits only for those that have something to wait for. */
export function runSteps(steps: readonly (() => Awaitable<unknown>)[], from = 0): Awaitable<void> {
  for (let at = from; at < steps.length; at++) {
    const done = steps[at]?.()
    if (done instanceof Promise) return done.then(() => runSteps(steps, at + 1))
  }
}
