import { ApiError } from '../../errors.ts'

/**
 * What the work brings, unless that takes longer: then throws `unavailable`. The work is not stopped, so
 * that a change may still come about. 0 milliseconds: no limit. Fastify's own limit ends as soon as the
 * body of a request has been read.
 */
export async function withinTime<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  if (milliseconds === 0) return await work
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
    detail: 'The request took too long and is not waited for any more.',
  })
