import { expect } from 'vitest'
import { type Api, type Document, startApi } from '../../support/api.ts'

/** The program with the pack, and short names for its requests. */
export interface Dns {
  readonly api: Api
  readonly ask: (
    method: string,
    path: string,
    body?: unknown,
  ) => Promise<{ status: number; json: Document; text: string }>
  /** The id of a new object of the pack. Fails the test if it is refused. */
  readonly make: (path: string, body: object) => Promise<number>
  /** The records that a query finds, as `name type value`. */
  readonly records: (query: string) => Promise<readonly string[]>
  /** The id of a new zone with one name server. */
  readonly zone: (name: string, more?: object) => Promise<number>
}

/** The program over a new database, with the pack and a name server ns1.example.net. */
export async function startDns(): Promise<Dns> {
  const api = await startApi({ PACKS: 'dns' })
  const ask: Dns['ask'] = (method, path, body) =>
    api.ask(method, `/api/plugins/netbox-dns/${path}`, body === undefined ? {} : { body })
  const make: Dns['make'] = (path, body) => api.make(`plugins/netbox-dns/${path}`, body)
  const server = await make('nameservers', { name: 'ns1.example.net' })
  return {
    api,
    ask,
    make,
    records: async (query) => {
      const { json, text } = await ask('GET', `records/?limit=0&${query}`)
      expect(json.results, text).toBeDefined()
      return [...(json.results ?? [])].map(({ name, type, value }) => `${name} ${type} ${value}`)
    },
    zone: (name, more = {}) =>
      make('zones', { name, nameservers: [server], soa_mname: server, soa_rname: 'hostmaster.example.net', ...more }),
  }
}
