import { describe, expect, it } from 'vitest'
import { apiOfTest } from '../support/api.ts'

const PATH = '/api/extras/journal-entries/'

describe('the author of a journal entry', () => {
  it('stays the same when another user changes the entry, with any method', async () => {
    const api = await apiOfTest()
    const make = async (path: string, body: object) =>
      Number((await api.ask('POST', `/api/${path}/`, { body })).json.id)
    const site = await make('dcim/sites', { name: 'Here', slug: 'here' })
    const other = await make('users/users', { username: 'bob', password: 'A-long-password-1' })
    await make('users/permissions', {
      name: 'p',
      object_types: ['extras.journalentry', 'dcim.site', 'users.user'],
      actions: ['view', 'add', 'change'],
      users: [other],
    })
    const { json: made } = await api.ask('POST', '/api/users/tokens/', { body: { user: other } })
    const token = String(made.key)
    const body = { assigned_object_type: 'dcim.site', assigned_object_id: site, comments: 'x' }
    const entry = await make('extras/journal-entries', body)
    const { json } = await api.ask('GET', `${PATH}${entry}/`)
    const author = Number(json.created_by)
    expect(author).not.toBe(other)

    for (const created_by of [other, null, undefined]) {
      const one = { ...body, created_by }
      for (const [method, path, change] of [
        ['PATCH', `${PATH}${entry}/`, { created_by, comments: 'y' }],
        ['PUT', `${PATH}${entry}/`, one],
        ['PATCH', PATH, [{ id: entry, created_by, comments: 'z' }]],
        ['PUT', PATH, [{ id: entry, ...one }]],
      ] as const) {
        const answer = await api.ask(method, path, { body: change, token })
        expect(answer.status, `${method} ${answer.text}`).toBe(200)
        expect((await api.ask('GET', `${PATH}${entry}/`)).json.created_by).toBe(author)
      }
    }
    // A new entry may name its author, as in NetBox.
    const named = await api.ask('POST', PATH, { body: { ...body, created_by: other } })
    expect(named.json.created_by).toBe(other)
  })
})
