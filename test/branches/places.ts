import { expect } from 'vitest'
import type { Api, Document } from '../support/api.ts'

/** A place in which a scenario reads and writes: main, or its branch. */
export interface Place {
  /** Creates an object, and returns its id. */
  make(path: string, body: object): Promise<number>
  /** Changes or deletes an object, and returns the id of the request. Fails the test if it is refused. */
  send(method: 'PATCH' | 'DELETE' | 'POST', path: string, body?: unknown): Promise<string>
  undo(request: string): Promise<void>
  read(path: string): Promise<Document>
}

export const fieldOf = (mark: string, suffix = 'f') => `${mark.replaceAll('-', '_')}_${suffix}`
export const namesOf = async (place: Place, path: string) =>
  [...((await place.read(path)).results ?? [])].map(({ name }) => String(name))
const endOf = (object_id: number) => [{ object_type: 'dcim.interface', object_id }]
export const cableOf = (a: number, b: number) => ({ a_terminations: endOf(a), b_terminations: endOf(b) })

export async function kinds(place: Place, mark: string) {
  const slug = mark.replaceAll(' ', '-')
  const manufacturer = await place.make('dcim/manufacturers', { name: mark, slug })
  const device_type = await place.make('dcim/device-types', { manufacturer, model: mark, slug })
  return { device_type, role: await place.make('dcim/device-roles', { name: mark, slug }) }
}

export async function device(place: Place, mark: string): Promise<number> {
  const site = await place.make('dcim/sites', { name: `Site of ${mark}`, slug: `s-${mark.replaceAll(' ', '-')}` })
  return await place.make('dcim/devices', { name: mark, site, ...(await kinds(place, mark)) })
}

/** Main, or the branch that the headers name. */
export function placeOf(api: Api, headers: Readonly<Record<string, string>> = {}): Place {
  const send: Place['send'] = async (method, path, body) => {
    const { status, text, headers: answered } = await api.ask(method, `/api/${path}/`, { body, headers })
    expect(status, `${method} ${path} ${JSON.stringify(body)}: ${text}`).toBeLessThan(300)
    return String(answered.get('x-request-id'))
  }
  return {
    send,
    make: async (path, body) => {
      const { status, text, json } = await api.ask('POST', `/api/${path}/`, { body, headers })
      expect(status, `${path} ${JSON.stringify(body)}: ${text}`).toBe(201)
      return Number(json.id)
    },
    undo: async (request) => {
      await send('POST', `core/requests/${request}/undo`, {})
    },
    read: async (path) => (await api.ask('GET', `/api/${path}`, { headers })).json,
  }
}
