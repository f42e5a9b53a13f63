import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '../../auth/actor.ts'
import type { Route } from '../routes.ts'

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
export class Findings {
  pattern: string | undefined = undefined
  user: string | undefined = undefined

  found(route: Route | undefined): void {
    this.pattern = route?.pattern
  }

  identified(actor: Actor): void {
    this.user = actor.kind === 'user' ? actor.username : undefined
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Absent until somebody looks for the route. */
    findings?: Findings
  }
}

/** Lets the observers know of every request of the server. Answers where a request's findings go. */
export function observe(
  app: FastifyInstance,
  observers: readonly Observer[],
): (request: FastifyRequest) => Findings {
  app.decorateRequest('findings')
  if (observers.length > 0) {
    app.addHook('onResponse', (request, reply, done) => {
      const observed = observedOf(request, reply, request.findings)
      for (const observer of observers) observer(observed)
      done()
    })
  }
  return (request) => {
    const findings = new Findings()
    request.findings = findings
    return findings
  }
}

const observedOf = (
  request: FastifyRequest,
  reply: FastifyReply,
  findings: Findings | undefined,
): Observed => ({
  id: request.id,
  method: request.method,
  url: request.url,
  pattern: findings?.pattern,
  status: reply.statusCode,
  milliseconds: reply.elapsedTime,
  user: findings?.user,
  address: request.ip,
})
