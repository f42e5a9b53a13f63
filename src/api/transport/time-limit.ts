import { ApiError } from '../../base/errors.ts'

/**
 * Result of the work; throws `unavailable` if it takes longer than `milliseconds`. The work is not
 * stopped, so a change may still be committed. Fastify's own limit covers only reading the request.
 */
export async function withinTime<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(tookTooLong()), milliseconds)
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

const tookTooLong = () =>
  new ApiError({
    kind: 'unavailable',
    detail: 'The request took too long.',
  })
