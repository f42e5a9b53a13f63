import type { Clock } from '../clock.ts'
import type { Json } from '../schema/json.ts'
import type { FromRunner } from './messages.ts'

type LogMessage = Extract<FromRunner, { kind: 'log' }>

/** What a script has logged, as its job's data show it. */
export class ScriptLog {
  readonly #clock: Clock
  readonly #entries: Json[] = []

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** `of`: the message of the script, which may name an object. */
  add(status: string, message: string, of?: LogMessage): void {
    const time = new Date(this.#clock.now()).toISOString().replace('Z', '000+00:00')
    this.#entries.push({ obj: of?.object ?? null, url: of?.url ?? null, time, status, message })
  }

  /** The `data` of the job, with the script's result. */
  data(output: Json): Json {
    return { log: [...this.#entries], tests: {}, output }
  }
}
