import { storedRows } from '../history/stored-rows.ts'
import type { Api } from '../support/api.ts'
import { type Place, placeOf } from './places.ts'

/** Main and a branch, in which something has been prepared. */
export interface Scenario {
  readonly main: Place
  readonly branch: Place
  /** A text that no other scenario has. */
  readonly mark: string
}

/** Ids of objects by the name that the scenario gives them. */
export type Made = Readonly<Record<string, number>>

export interface Preparation {
  /** Makes objects on main before the branch is created. */
  readonly before: (scenario: Pick<Scenario, 'main' | 'mark'>) => Promise<Made>
  /** Writes to both sides; may add to what has been made. */
  readonly writes: (scenario: Scenario, made: Made) => Promise<unknown>
}

/** Prepares main and a branch. */
export async function prepareBranch(api: Api, mark: string, { before, writes }: Preparation) {
  const main = placeOf(api)
  const made = { ...(await before({ main, mark })) }
  const { json } = await api.ask('POST', '/api/core/branches/', { body: { name: `Branch ${mark}` } })
  const branch = placeOf(api, { 'X-NetBox-Branch': String(json.schema_id) })
  await writes({ main, branch, mark }, made)
  const path = `/api/core/branches/${json.id}/`
  return {
    ...{ main, branch, mark, made },
    act: (action: string, body: object = {}) => api.ask('POST', `${path}${action}/`, { body }),
    conflicts: async () => [...((await api.ask('GET', `${path}conflicts/`)).json.results ?? [])],
  }
}

/** The rows of main as stored, without branches. Mappings of ports, which no response shows, may be stored anew. */
export const mainRows = async (api: Api): Promise<Readonly<Record<string, readonly string[]>>> =>
  Object.fromEntries(
    Object.entries(await storedRows(api.service)).flatMap(([name, lines]) => {
      if (name.startsWith('core.branch')) return []
      if (name !== 'dcim.portmapping') return [[name, lines]]
      return [[name, lines.map((line) => line.replaceAll(/"(id|created|last_updated)": [^,}]*/g, ''))]]
    }),
  )
