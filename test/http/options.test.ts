import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, startApi } from '../support/api.ts'

/** Permissions of users on sites, and the methods whose bodies OPTIONS then describes. */
const USERS = [
  { name: 'reader', actions: ['view'], list: [], detail: [] },
  { name: 'adder', actions: ['view', 'add'], list: ['POST'], detail: [] },
  { name: 'changer', actions: ['view', 'change'], list: ['PUT'], detail: ['PUT'] },
  { name: 'editor', actions: ['view', 'add', 'change'], list: ['PUT', 'POST'], detail: ['PUT'] },
] as const

describe('OPTIONS', () => {
  let api: Api
  const tokens = new Map<string, string>()
  const make = async (path: string, body: unknown) => {
    const { status, json } = await api.ask('POST', path, { body })
    expect(status).toBe(201)
    return json
  }
  beforeAll(async () => {
    api = await startApi()
    await make('/api/dcim/sites/', { name: 'Here', slug: 'here' })
    for (const { name, actions } of USERS) {
      const user = await make('/api/users/users/', {
        username: name,
        password: 'Corr3ct-Horse-Battery',
      })
      const granted = { object_types: ['dcim.site'], actions, users: [user.id] }
      await make('/api/users/permissions/', { name, ...granted })
      tokens.set(name, String((await make('/api/users/tokens/', { user: user.id })).key))
    }
    const reading = await make('/api/users/tokens/', { user: 1, write_enabled: false })
    tokens.set('superuser who may only read', String(reading.key))
  })
  afterAll(() => api.close())

  const described = async (path: string, name: string) => {
    const token = tokens.get(name)
    const { status, json } = await api.ask('OPTIONS', path, token === undefined ? {} : { token })
    expect(status).toBe(200)
    return { methods: Object.keys(json.actions ?? {}), json }
  }

  it('describes to each user the bodies that the user may send', async () => {
    const everybody = [
      ...USERS,
      { name: 'superuser', list: ['PUT', 'POST'], detail: ['PUT'] },
      { name: 'superuser who may only read', list: [], detail: [] },
    ]
    for (const { name, list, detail } of [...everybody, ...everybody.toReversed()]) {
      expect([name, (await described('/api/dcim/sites/', name)).methods]).toEqual([name, list])
      expect([name, (await described('/api/dcim/sites/1/', name)).methods]).toEqual([name, detail])
    }
  })

  it('does not describe the change of an object that does not exist', async () => {
    expect((await described('/api/dcim/sites/99/', 'superuser')).methods).toEqual([])
    expect((await described('/api/dcim/sites/1/', 'superuser')).methods).toEqual(['PUT'])
  })

  it('describes each endpoint separately', async () => {
    const [sites, devices] = [
      await described('/api/dcim/sites/', 'superuser'),
      await described('/api/dcim/devices/', 'superuser'),
    ]
    expect([sites.json.name, devices.json.name]).toEqual(['Site List', 'Device List'])
    expect(sites.json.actions?.POST).toHaveProperty('facility')
    expect(devices.json.actions?.POST).toHaveProperty('device_type')
  })
})
