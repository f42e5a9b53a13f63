import type { Clock } from '../../base/clock.ts'
import { storableText } from './storable.ts'

type LogLevel = 'debug' | 'info' | 'success' | 'warning' | 'failure' | 'error'

/** An entry of a job's log, as the API shows it. */
export interface LogEntry {
  readonly level: LogLevel
  readonly message: string
  /** ISO 8601 UTC. */
  readonly timestamp: string
}

/** The log of a job. Entries are held until they are taken to be stored. */
export class JobLog {
  readonly #clock: Clock
  #entries: LogEntry[] = []

  constructor(clock: Clock) {
    this.#clock = clock
  }

  debug(message: string): void {
    this.add('debug', message)
  }

  info(message: string): void {
    this.add('info', message)
  }

  success(message: string): void {
    this.add('success', message)
  }

  warning(message: string): void {
    this.add('warning', message)
  }

  failure(message: string): void {
    this.add('failure', message)
  }

  error(message: string): void {
    this.add('error', message)
  }

  add(level: LogLevel, message: string): void {
    const timestamp = new Date(this.#clock.now()).toISOString().replace('Z', '000Z')
    this.#entries.push({ level, message: storableText(message), timestamp })
  }

  /** The entries since the last call, as JSON texts. */
  take(): readonly string[] {
    return this.#entries.splice(0).map((entry) => JSON.stringify(entry))
  }
}
