import type { FastifyInstance } from 'fastify'
import type { Service } from '../../service.ts'

/** A function that returns the milliseconds since a request of the server last ended, or since now; 0 while any is in progress. */
export function idleTimeOf(server: FastifyInstance, { clock }: Pick<Service, 'clock'>): () => number {
  let inProgress = 0
  let latest = clock.now()
  const ended = (): void => {
    inProgress -= 1
    latest = clock.now()
  }
  server.addHook('onRequest', (_request, { raw }, done) => {
    inProgress += 1
    // Also emitted if the client disconnects before the response is complete.
    raw.once('close', ended)
    done()
  })
  return () => (inProgress > 0 ? 0 : clock.now() - latest)
}
