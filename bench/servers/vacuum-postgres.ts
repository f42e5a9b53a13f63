import pg from 'pg'

/** Vacuums and analyses all tables of the server's database, as autovacuum does within a minute after they have been filled. */
export async function vacuumPostgres(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('vacuum (analyze)')
  await client.end()
}
