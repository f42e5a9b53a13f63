/** Limits on the work of another process, in milliseconds. */
export interface Limits {
  /** Processor time, so that a busy machine does not count against the work. */
  readonly processor: number
  /** Wall-clock time, for work that waits forever. */
  readonly clock: number
}

/** Milliseconds between checks of the time used. */
const INTERVAL = 250

/**
 * The result of `work`, unless it exceeds one of the limits: then rejects with `LimitExceeded`. The work itself
 * continues; the caller stops it. If `used` cannot determine the processor time, wall-clock time is used instead.
 */
export async function withinLimits<T>(work: Promise<T>, limits: Limits, used: () => number | undefined): Promise<T> {
  const { promise: exceeded, reject } = Promise.withResolvers<never>()
  const began = performance.now()
  const usedBefore = used() ?? 0
  const timer = setInterval(() => {
    const elapsed = performance.now() - began
    const now = used()
    const processor = now === undefined ? elapsed : now - usedBefore
    if (processor > limits.processor) reject(new LimitExceeded(limits.processor))
    else if (elapsed > limits.clock) reject(new LimitExceeded(limits.clock))
  }, INTERVAL)
  try {
    return await Promise.race([work, exceeded])
  } finally {
    clearInterval(timer)
  }
}

export class LimitExceeded extends Error {
  override readonly name = 'TimeoutError'

  constructor(milliseconds: number) {
    super(`the template took longer than ${milliseconds / 1000} seconds`)
  }
}
