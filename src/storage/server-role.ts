import pg from 'pg'

/** Whether a server accepts writes, and since which promotion. */
export interface ServerRole {
  /** It is a standby, or its sessions are read-only by default. */
  readonly isReadOnly: boolean
  /** Number that each promotion of a standby increases; 0 where the server is a standby. */
  readonly timeline: number
}

/** Reads the role of the server that a URL of one host names. Throws the driver's errors. */
export type ReadRole = (url: string) => Promise<ServerRole>

/** Milliseconds until a server that does not answer counts as unreachable. */
const TIMEOUT = 3_000

const ROLE = `
  select current_setting('transaction_read_only') = 'on' as read_only, case when pg_is_in_recovery() then '0'
    else pg_walfile_name(pg_current_wal_insert_lsn()) end as file`

/** The timeline of a WAL file: its name begins with it, in eight hexadecimal digits. */
export const timelineOf = (walFile: string): number => Number.parseInt(walFile.slice(0, 8), 16)

/** Asks on a connection of its own, since those of a pool may all be busy, or hang. */
export const readServerRole: ReadRole = async (url) => {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'cadastre role',
    connectionTimeoutMillis: TIMEOUT,
    query_timeout: TIMEOUT,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ read_only: boolean; file: string }>(ROLE)
    const [row] = rows
    if (!row) throw new Error('The query returns one row')
    return { isReadOnly: row.read_only, timeline: timelineOf(row.file) }
  } finally {
    // Not awaited: a server that hangs confirms no end.
    client.end().catch(() => undefined)
  }
}
