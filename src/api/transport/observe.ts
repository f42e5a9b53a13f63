import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { StatementCounts } from '../../db/query-groups.ts'
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
  readonly userId: number | undefined
  /** The client's trace context, in the W3C's format. */
  readonly traceparent: string | undefined
  /** Undefined unless statements are counted. */
  readonly statements: StatementCounts | undefined
  readonly address: string
}

/** Receives every request. Runs after the response was sent, so that it delays no client. */
export type Observer = (observed: Observed) => void

/** Facts that are collected while a request is handled. */
export class Findings {
  pattern: string | undefined = undefined
  user: string | undefined = undefined
  userId: number | undefined = undefined
  /** Set to have the statements of the request counted. */
  statements: StatementCounts | undefined = undefined

  routed(route: Route | undefined): void {
    this.pattern = route?.pattern
  }

  identified(actor: Actor): void {
    if (actor.kind !== 'user') return
    this.user = actor.username
    this.userId = actor.id
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Absent until the route is looked up. */
    findings?: Findings
  }
}

/**
 * Reports every request of the server to the observers. Returns the function that provides the facts about a request.
 */
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
  userId: findings?.userId,
  traceparent: headerOf(request, 'traceparent'),
  statements: findings?.statements,
  address: request.ip,
})

function headerOf({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}
