import { stateOfService } from '../../service.ts'

/** A call of a tool. */
export interface AgentCall {
  /** ISO 8601, UTC. */
  readonly time: string
  readonly tool: string
  readonly outcome: 'done' | 'refused'
  /** Id of the user. */
  readonly user: number
  /** Id; undefined within a session. */
  readonly token: number | undefined
  readonly milliseconds: number
  /** Size of the result. */
  readonly bytes: number
}

type CallCount = Pick<AgentCall, 'tool' | 'outcome' | 'user' | 'token'> & { readonly calls: number }

/** Latest calls that are kept. */
const MOST_RECENT = 1_000

/**
 * The calls that this process has answered: the latest ones, and the numbers of all. Nothing of it is stored, because
 * the log of the service has an audit line for each call.
 */
class CallLog {
  readonly #counts = new Map<string, CallCount>()
  readonly #recent: AgentCall[] = []
  readonly since = new Date().toISOString()

  add(call: AgentCall): void {
    const { tool, outcome, user, token } = call
    const key = [tool, outcome, user, token].join(' ')
    this.#counts.set(key, { tool, outcome, user, token, calls: (this.#counts.get(key)?.calls ?? 0) + 1 })
    this.#recent.push(call)
    if (this.#recent.length > MOST_RECENT) this.#recent.shift()
  }

  /** Numbers of calls by token, tool and outcome. */
  get counts(): readonly CallCount[] {
    return [...this.#counts.values()]
  }

  /** The latest first. */
  get recent(): readonly AgentCall[] {
    return this.#recent.toReversed()
  }
}

/** The calls of the service in this process. */
export const callLogOf = stateOfService(() => new CallLog())
