import type { Actor } from '../identity/actor.ts'
import type { Branch } from '../read/branches/branch-service.ts'
import type { PlanForm } from '../read/serialise/plan.ts'
import type { Service } from '../service.ts'
import type { IdempotentWrite } from '../write/context.ts'
import type { DryRun } from '../write/dry-run/dry-run.ts'
import type { RequestBody } from './transport/body.ts'

/** The branches of a page. */
export interface PageBranches {
  readonly open: readonly Branch[]
  /** The branch that the reader has chosen, also on pages about shared data, whose service is that of main. */
  readonly chosen?: Branch
  /** Why the chosen branch is no longer shown. */
  readonly notice?: string
}

/** A request while the service handles it. */
export interface ApiRequest {
  readonly service: Service
  readonly actor: Actor
  /**
   * Authenticates the sender again, for long-lasting responses: tokens may be revoked and permissions change meanwhile.
   * Throws `unauthenticated`.
   */
  readonly currentActor: () => Promise<Actor>
  /** The time as of which a page is shown, as in its URL; absent for the present. */
  readonly asOf?: string
  /** The page can be shown as of another time. */
  readonly hasPast?: boolean
  /** For pages: the branches that the reader may choose. */
  readonly branches?: PageBranches
  /** CSRF token of the sender's session; absent without a session. */
  readonly csrfToken?: string | undefined
  /** The form in which a page reads objects; absent for the form of the API. */
  readonly form?: PlanForm
  /** UUID of the request, for X-Request-ID and change records. */
  readonly id: string
  readonly method: string
  /** For a write that is only tried. */
  readonly dryRun?: DryRun | undefined
  /** For a request that may be sent again. */
  readonly idempotentWrite?: IdempotentWrite | undefined
  /** Address of the client, or the one that a trusted proxy reports; undefined when unknown. */
  readonly address: string | undefined
  /** Address of the machine that opened the connection, which may be a proxy; absent when unknown. */
  readonly peer?: string | undefined
  /** Scheme, host and base path as the client sees them, without a trailing slash. */
  readonly base: string
  /** The full URL as the client sees it. */
  readonly url: URL
  /** Query parameters, parsed once; names may repeat. */
  readonly search: URLSearchParams
  /** Segments of the path that match placeholders, such as the id of an object. */
  readonly parameters: readonly string[]
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: RequestBody
  /**
   * Signal that is aborted when the client disconnects or the time limit is reached; work for the response can stop
   * then.
   */
  readonly signal: () => AbortSignal
}
