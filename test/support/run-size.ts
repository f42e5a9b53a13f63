/**
 * One of two sizes of a test that repeats itself: the full size with `TEST_SIZE=full`, which runs every night,
 * otherwise the usual size, which runs for every change.
 */
export const runSize = <T>({ full, usual }: { readonly full: T; readonly usual: T }): T =>
  process.env.TEST_SIZE === 'full' ? full : usual

const DAY = 86_400_000

/**
 * One in so many of the items, by the size of the run, and each day others. Odd numbers reach all of them although CI
 * runs one half of the test files every other day.
 */
export function shareOfToday<T>(
  items: readonly T[],
  oneIn: { readonly full: number; readonly usual: number },
): readonly T[] {
  const stride = runSize(oneIn)
  const today = Math.floor(Date.now() / DAY) % stride
  return items.filter((_, index) => index % stride === today)
}
