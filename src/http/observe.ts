import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '../auth/actor.ts'
import type { Route } from './routes.ts'

/** What is known of a request once it has been answered. */
export interface Observed {
  readonly id: string
  readonly method: string
  /** Path and query as they came. */
  readonly url: string
  /** Pattern of the path; undefined where nothing answers. */
  readonly pattern: string | undefined
  readonly status: number
  readonly milliseconds: number
  /** Name of the user who asked; undefined where nobody did, or where nobody needed to know. */
  readonly user: string | undefined
  readonly address: string
}

/** Learns of every request. Is called after the answer has left, so that nobody waits for it. */
export type Observer = (observed: Observed) => void

/** What the way through the service finds out about a request. */
export interface Findings {
  found(route: Route | undefined): void
  identified(actor: Actor): void
}

interface Notes {
  pattern?: string
  user?: string
}

const NOTHING: Findings = { found: () => undefined, identified: () => undefined }

/** Lets the observers know of every request of the server. Answers where a request's findings go. */
export function observe(
  app: FastifyInstance,
  observers: readonly Observer[],
): (request: FastifyRequest) => Findings {
  if (observers.length === 0) return () => NOTHING
  const notes = new WeakMap<FastifyRequest, Notes>()
  app.addHook('onResponse', (request, reply, done) => {
    const observed = observedOf(request, reply, notes.get(request) ?? {})
    for (const observer of observers) observer(observed)
    done()
  })
  return (request) => {
    const note: Notes = {}
    notes.set(request, note)
    return {
      found: (route) => {
        if (route) note.pattern = route.pattern
      },
      identified: (actor) => {
        if (actor.kind === 'user') note.user = actor.username
      },
    }
  }
}

const observedOf = (
  request: FastifyRequest,
  reply: FastifyReply,
  { pattern, user }: Notes,
): Observed => ({
  id: request.id,
  method: request.method,
  url: request.url,
  pattern,
  status: reply.statusCode,
  milliseconds: reply.elapsedTime,
  user,
  address: request.ip,
})
