/**
 * One of two sizes of a test that repeats itself: the full size with `TEST_SIZE=full`, which runs every night,
 * otherwise the usual size, which runs for every change.
 */
export const runSize = <T>({ full, usual }: { readonly full: T; readonly usual: T }): T =>
  process.env.TEST_SIZE === 'full' ? full : usual
