import type { BackgroundWork } from '../../changes/background/background.ts'
import type { TurnResult } from '../../changes/background/loop.ts'
import { type ChangedTable, tablesToVacuum, vacuumTable } from '../../db/vacuum.ts'
import type { Service } from '../../service.ts'
import type { Requests } from './requests.ts'

/** Milliseconds between two checks of the counts of changed rows, and the minimum between two vacuums of a table. */
const PERIOD = 60_000
/** Tables up to this size, in bytes, are vacuumed in a fraction of a second; larger ones wait until the service is idle. */
const SMALL = 4 * 1024 * 1024
/** Milliseconds without requests after which the service is idle. */
const IDLE = 3_000
/** Maximum wait of a large table, in milliseconds. */
const PATIENCE = 600_000

/** Receives messages that may interest an operator. */
interface VacuumLog {
  info(details: Readonly<Record<string, unknown>>, message: string): void
}

/**
 * Vacuums and analyses the tables of the embedded database as they change, because the embedded PostgreSQL lacks the
 * processes for it. One table at a time, because requests wait meanwhile. Does nothing on a server, which has its own
 * autovacuum.
 */
export const embeddedAutovacuum = (service: Service, requests: Requests, log: VacuumLog): readonly BackgroundWork[] => {
  if (service.database.kind !== 'pglite') return []
  const autovacuum = new Autovacuum(service, requests, log)
  return [
    {
      ...{ name: 'autovacuum', idleMs: PERIOD, wokenBy: [] },
      turn: () => autovacuum.turn(),
    },
  ]
}

class Autovacuum {
  readonly #service: Service
  readonly #requests: Requests
  readonly #log: VacuumLog
  /** Time from which each table may be vacuumed again, also after a failure. */
  readonly #pausedUntil = new Map<string, number>()
  /** Time at which each table was first found to need a vacuum. */
  readonly #dueSince = new Map<string, number>()
  /** Not at startup, which it would delay. */
  readonly #firstLook: number
  /** Whether a table may need a vacuum because of changes before the start. */
  #isAfterRestart = true

  constructor(service: Service, requests: Requests, log: VacuumLog) {
    this.#service = service
    this.#requests = requests
    this.#log = log
    this.#firstLook = service.clock.now() + PERIOD
  }

  async turn(): Promise<TurnResult> {
    const { database, clock } = this.#service
    // A vacuum writes to the log of the database.
    if (clock.now() < this.#firstLook || database.writeProblem?.()) return 'idle'
    const due = await tablesToVacuum(database, { bySize: this.#isAfterRestart })
    this.#isAfterRestart &&= due.length > 0
    this.#note(due)
    const table = due.find((candidate) => this.#mayRun(candidate))
    if (!table) return 'idle'
    await this.#vacuum(table)
    return 'again'
  }

  #note(due: readonly ChangedTable[]): void {
    const now = this.#service.clock.now()
    const names = new Set(due.map(({ name }) => name))
    for (const name of this.#dueSince.keys()) if (!names.has(name)) this.#dueSince.delete(name)
    for (const name of names) {
      if (!this.#dueSince.has(name)) this.#dueSince.set(name, now)
    }
  }

  #mayRun({ name, bytes }: ChangedTable): boolean {
    const now = this.#service.clock.now()
    if (now < (this.#pausedUntil.get(name) ?? 0)) return false
    if (bytes <= SMALL || this.#requests.idleTime() >= IDLE) return true
    return now - (this.#dueSince.get(name) ?? now) >= PATIENCE
  }

  async #vacuum(table: ChangedTable): Promise<void> {
    const { database, clock } = this.#service
    const started = clock.now()
    this.#pausedUntil.set(table.name, started + PERIOD)
    this.#dueSince.delete(table.name)
    await vacuumTable(database, table)
    const ms = clock.now() - started
    const { name, changes, bytes } = table
    this.#log.info({ table: name, changes, bytes, ms }, 'table vacuumed')
  }
}
