import { type Access, ask } from '../client.ts'
import { queryPostgres } from './query-postgres.ts'

/** Versions that a server reports. */
export async function versionOfApi(access: Access): Promise<Readonly<Record<string, string>>> {
  // An object on every server of this API.
  const status = (await ask(access, 'GET', '/api/status/')) as Readonly<Record<string, unknown>>
  return { API: String(status['netbox-version']) }
}

export async function versionOfPostgres(url: string): Promise<Readonly<Record<string, string>>> {
  const [row] = await queryPostgres<{ server_version: string }>(url, 'show server_version')
  return { PostgreSQL: row?.server_version ?? '' }
}
