import type { FastifyInstance } from 'fastify'
import type { Service } from '../../service.ts'

/** A function that returns the milliseconds since a request of the server last began or ended, or since now. */
export function idleTimeOf(
  server: FastifyInstance,
  { clock }: Pick<Service, 'clock'>,
): () => number {
  let latest = clock.now()
  const note = (_request: unknown, _reply: unknown, done: () => void) => {
    latest = clock.now()
    done()
  }
  server.addHook('onRequest', note)
  server.addHook('onResponse', note)
  return () => clock.now() - latest
}
