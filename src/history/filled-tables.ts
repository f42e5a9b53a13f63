import { oncePer } from '../schema/once-per.ts'
import type { Registry } from '../schema/registry.ts'
import { join, volatile } from '../sql/fragment.ts'
import { systemTable } from '../sql/table.ts'
import type { Database } from '../storage/database.ts'
import { versionedTables } from '../versions/versioned-tables.ts'

/** Which tables of past versions contain some, as far as this process has noticed. */
export class FilledTables {
  /** Names of all tables of past versions. */
  readonly all: ReadonlySet<string>
  readonly #database: Database
  #names: ReadonlySet<string> | undefined
  #reading: Promise<ReadonlySet<string>> | undefined

  constructor(database: Database, registry: Registry) {
    this.#database = database
    this.all = new Set([...versionedTables(registry).values()].map(({ past }) => past))
  }

  /** Names of the tables, from the database at the first call. */
  async names(): Promise<ReadonlySet<string>> {
    return this.#names ?? (await this.read())
  }

  /** Reads the names from the database. Callers at the same time share one query. */
  read(): Promise<ReadonlySet<string>> {
    this.#reading ??= this.#query().finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  async #query(): Promise<ReadonlySet<string>> {
    const parts = [...this.all].map(
      (past) => volatile`select ${past}::text where exists (select from ${systemTable(past)})`,
    )
    const rows = await this.#database.queryArrays(join(parts, ' union all '))
    this.#names = new Set(rows.map(([name]) => String(name)))
    return this.#names
  }
}

/** Those of a database, of which there is one for each process. */
export const filledTables = oncePer(
  (database: Database, registry: Registry) => new FilledTables(database, registry),
)
