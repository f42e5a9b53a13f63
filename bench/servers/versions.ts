import pg from 'pg'
import { type Access, ask } from '../client.ts'

/** Versions that a server reports. */
export async function versionOfApi(access: Access): Promise<Readonly<Record<string, string>>> {
  // An object on every server of this API.
  const status = (await ask(access, 'GET', '/api/status/')) as Readonly<Record<string, unknown>>
  return { API: String(status['netbox-version']) }
}

export async function versionOfPostgres(url: string): Promise<Readonly<Record<string, string>>> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ server_version: string }>('show server_version')
  await client.end()
  return { PostgreSQL: rows[0]?.server_version ?? '' }
}
