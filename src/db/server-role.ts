import pg from 'pg'

/** Whether a server accepts writes, and since which promotion. */
export interface ServerRole {
  /** It is a standby, or its sessions are read-only by default. */
  readonly isReadOnly: boolean
  /** Number that each promotion increases; 0 if the server is a standby. */
  readonly timeline: number
}

/** Reads the role of the server that a URL of one host names. Throws the driver's errors. */
export type ReadRole = (url: string) => Promise<ServerRole>

/** Milliseconds after which a server that does not respond counts as unreachable. */
export const ANSWER_TIMEOUT = 3_000

const ROLE = `
  select current_setting('transaction_read_only') = 'on' as read_only, case when pg_is_in_recovery() then '0'
    else pg_walfile_name(pg_current_wal_insert_lsn()) end as file`

/** The timeline of a WAL file: its name begins with it, in eight hexadecimal digits. */
export const timelineOf = (walFile: string): number => Number.parseInt(walFile.slice(0, 8), 16)

export const readServerRole: ReadRole = async (url) => {
  const [row] = await askOnce<{ read_only: boolean; file: string }>(url, ROLE)
  if (!row) throw new Error('The query returns one row')
  return { isReadOnly: row.read_only, timeline: timelineOf(row.file) }
}

/**
 * The rows of a query on a separate connection, since those of a pool may all be busy or hang. Throws the driver's
 * errors.
 */
export async function askOnce<T extends pg.QueryResultRow>(
  url: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly T[]> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'cadastre role',
    connectionTimeoutMillis: ANSWER_TIMEOUT,
    query_timeout: ANSWER_TIMEOUT,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.query<T>(text, [...values])).rows
  } finally {
    // Not awaited, because a server that hangs never confirms the end.
    client.end().catch(() => undefined)
  }
}
