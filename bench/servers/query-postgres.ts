import pg from 'pg'

/** Sends one statement to PostgreSQL, over a connection of its own; its rows. */
export async function queryPostgres<T extends pg.QueryResultRow>(
  url: string,
  text: string,
): Promise<readonly T[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<T>(text)).rows
  } finally {
    await client.end()
  }
}
