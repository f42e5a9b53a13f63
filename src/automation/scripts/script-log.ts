import type { Clock } from '../../clock.ts'
import type { Json } from '../../schema/json.ts'
import type { FromRunner } from './messages.ts'

/** Entries beyond these are dropped: a script that logs in a loop must not fill the database, and lists of jobs show whole logs. */
const MOST_ENTRIES = 10_000
const MOST_CHARACTERS = 500_000
const MORE = `The script has logged more than ${MOST_ENTRIES} entries or ${MOST_CHARACTERS} characters; the others are not shown.`

type LogMessage = Extract<FromRunner, { kind: 'log' }>

/** The log of a script, as its job's data show it. */
export class ScriptLog {
  readonly #clock: Clock
  readonly #entries: Json[] = []
  #characters = 0
  #isFull = false

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** `of`: the message of the script, which may name an object. */
  add(status: string, message: string, of?: LogMessage): void {
    if (this.#isFull) return
    this.#characters += message.length + (of?.object?.length ?? 0) + (of?.url?.length ?? 0)
    this.#isFull = this.#entries.length === MOST_ENTRIES || this.#characters > MOST_CHARACTERS
    if (this.#isFull) this.#push('warning', MORE, undefined)
    else this.#push(status, message, of)
  }

  #push(status: string, message: string, of: LogMessage | undefined): void {
    const time = new Date(this.#clock.now()).toISOString().replace('Z', '000+00:00')
    this.#entries.push({ time, status, message, obj: of?.object ?? null, url: of?.url ?? null })
  }

  /** As `add`, for the service's own last words, which are never dropped. */
  conclude(status: string, message: string): void {
    this.#push(status, message, undefined)
  }

  /** The `data` of the job, with the script's result. */
  data(output: Json): Json {
    return { log: [...this.#entries], output, tests: {} }
  }
}
