import { pino } from 'pino'
import { createApp } from '../../src/app.ts'
import { readSettings } from '../../src/config/settings.ts'
import { openCore } from '../../src/core.ts'
import type { Sql } from '../../src/sql/fragment.ts'
import type { Database } from '../../src/storage/database.ts'
import { encode } from '../../src/storage/encode.ts'
import { send } from '../client.ts'
import type { BarePage } from './bare-server.ts'

/** A page, the table of its rows, and their number. */
export interface WantedPage {
  readonly path: string
  readonly table: string
  readonly rows: number
}

interface Asked {
  readonly statement: Sql
  readonly rows: number
}

/**
 * Statements with which the service reads the rows of pages, and its responses. Starts the service in this process
 * over the same database and records its statements.
 */
export async function pageStatements(
  environment: Readonly<Record<string, string>>,
  token: string,
  wanted: readonly WantedPage[],
): Promise<Readonly<Record<string, BarePage>>> {
  const settings = readSettings({
    ...environment,
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'error',
    // Cached objects would not be queried.
    CACHE_SIZE: '0',
  })
  const core = await openCore(settings, () => undefined)
  let asked: Asked[] = []
  const database = listenedTo(core.service.database, (each) => asked.push(each))
  const listening = { ...core, service: { ...core.service, database } }
  const app = await createApp(listening, pino({ level: 'error' }))
  try {
    const url = new URL(await app.listen()).origin
    const pages: Record<string, BarePage> = {}
    for (const { path, table, rows } of wanted) {
      asked = []
      const { body } = await send({ url, token }, 'GET', path)
      // One statement finds the ids of the page; the longer one selects all columns of the rows.
      const [found] = asked
        .filter((each) => each.rows === rows && each.statement.text.includes(`"${table}" t`))
        .toSorted((a, b) => b.statement.text.length - a.statement.text.length)
      if (!found) throw new Error(`${path}: no statement that reads ${rows} rows of ${table}`)
      const { statement } = found
      pages[path] = {
        statement: statement.text,
        values: statement.values.map(encode),
        body: body.toString(),
      }
    }
    return pages
  } finally {
    await app.close()
  }
}

/** The database, with a callback for each statement and its number of rows. */
function listenedTo(database: Database, tell: (asked: Asked) => void): Database {
  return {
    ...database,
    queryArrays: async (statement) => {
      const rows = await database.queryArrays(statement)
      tell({ statement, rows: rows.length })
      return rows
    },
  }
}
