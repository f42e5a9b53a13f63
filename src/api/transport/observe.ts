import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '../../identity/actor.ts'
import type { Route } from '../routes.ts'

/** Facts about a request after its response was sent. */
export interface Observed {
  readonly id: string
  readonly method: string
  /** Path and query as received. */
  readonly url: string
  /** Pattern of the path; undefined without a route. */
  readonly pattern: string | undefined
  readonly status: number
  readonly milliseconds: number
  /** Name of the authenticated user; undefined for anonymous requests and endpoints without authentication. */
  readonly user: string | undefined
  readonly address: string
}

/** Receives every request. Runs after the response was sent, so that it delays no client. */
export type Observer = (observed: Observed) => void

/** Facts that are collected while a request is handled. */
export class Findings {
  pattern: string | undefined = undefined
  user: string | undefined = undefined

  routed(route: Route | undefined): void {
    this.pattern = route?.pattern
  }

  identified(actor: Actor): void {
    this.user = actor.kind === 'user' ? actor.username : undefined
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Absent until the route is looked up. */
    findings?: Findings
  }
}

/** Reports every request of the server to the observers. Returns the function that gives a request's findings. */
export function observe(app: FastifyInstance, observers: readonly Observer[]): (request: FastifyRequest) => Findings {
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

const observedOf = (request: FastifyRequest, reply: FastifyReply, findings: Findings | undefined): Observed => ({
  id: request.id,
  method: request.method,
  url: request.url,
  pattern: findings?.pattern,
  status: reply.statusCode,
  milliseconds: reply.elapsedTime,
  user: findings?.user,
  address: request.ip,
})
