import { ApiError } from '../../errors.ts'

/**
 * Result of the work; throws `unavailable` if it takes longer than `milliseconds` (0: no limit). The work is not
 * stopped, so a change may still be committed. Fastify's own limit covers only reading the request.
 */
export function withinTime<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  if (milliseconds === 0) return work
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(tookTooLong()), milliseconds)
    const stopped =
      <Outcome>(settle: (outcome: Outcome) => void) =>
      (outcome: Outcome) => {
        clearTimeout(timer)
        settle(outcome)
      }
    work.then(stopped(resolve), stopped(reject))
  })
}

const tookTooLong = () =>
  new ApiError({
    kind: 'unavailable',
    detail: 'The request took too long.',
  })
