/**
 * One of two sizes of a test that repeats itself: the full one with `TEST_SIZE=full`, as it is run every night, else the usual
 * one, for which a change waits.
 */
export const runSize = <T>({ full, usual }: { readonly full: T; readonly usual: T }): T =>
  process.env.TEST_SIZE === 'full' ? full : usual
