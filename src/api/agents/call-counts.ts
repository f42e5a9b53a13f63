import { stateOfService } from '../../service.ts'

/** Calls of tools that this process has answered, by tool and outcome. */
class CallCounts {
  readonly #counts = new Map<string, { readonly tool: string; readonly outcome: string; calls: number }>()

  add(tool: string, outcome: 'done' | 'refused'): void {
    const key = `${tool} ${outcome}`
    const count = this.#counts.get(key) ?? { tool, outcome, calls: 0 }
    count.calls += 1
    this.#counts.set(key, count)
  }

  get list(): readonly { readonly tool: string; readonly outcome: string; readonly calls: number }[] {
    return [...this.#counts.values()]
  }
}

/** The counts of the service in this process. */
export const callCountsOf = stateOfService(() => new CallCounts())
