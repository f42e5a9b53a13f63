import { randomBytes } from 'node:crypto'
import pg from 'pg'

/** A temporary database for one run. */
export interface ScratchDatabase {
  readonly url: string
  /** Drops it, even with open connections. */
  drop(): Promise<void>
}

/**
 * Creates a database on the server at `url`, whose account needs the permission for it: empty, or a copy of the database
 * at `template`; PostgreSQL copies a database only if nobody is connected to it.
 */
export async function createScratchDatabase(url: string, purpose: string, template?: string): Promise<ScratchDatabase> {
  // Letters, digits and underscores only, so that the name needs no quoting.
  const name = `conformance_${purpose.replaceAll('-', '_')}_${randomBytes(4).toString('hex')}`
  const copied = template === undefined ? '' : ` template ${new URL(template).pathname.slice(1)}`
  await run(url, `create database ${name}${copied}`)
  const own = new URL(url)
  own.pathname = `/${name}`
  return {
    url: own.toString(),
    drop: () => run(url, `drop database if exists ${name} with (force)`),
  }
}

async function run(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
