import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, startApi } from '../support/api.ts'

const VALIDATORS = {
  'dcim.site': [
    { name: { min_length: 3, regex: '^[a-z]' }, description: { required: true } },
    { 'region.slug': { neq: 'closed' } },
    { 'request.user.username': { neq: 'guest' } },
    { asns: { max: 1 } },
  ],
}
const PROTECTION = {
  'dcim.site': [{ status: { eq: 'retired' } }],
  'dcim.region': [{ 'request.user.username': { eq: 'admin' } }],
}

describe('rules in the configuration', () => {
  let api: Api
  let guest: string
  const create = async (path: string, body: unknown, token?: string) =>
    await api.ask('POST', `/api/${path}/`, { body, ...(token && { token }) })
  beforeAll(async () => {
    api = await startApi({
      CUSTOM_VALIDATORS: JSON.stringify(VALIDATORS),
      PROTECTION_RULES: JSON.stringify(PROTECTION),
    })
    const account = { username: 'guest', password: 'A-long-password-1' }
    const user = (await create('users/users', account)).json.id
    await create('users/permissions', {
      name: 'all of sites and regions',
      object_types: ['dcim.site', 'dcim.region'],
      actions: ['view', 'add', 'change', 'delete'],
      users: [user],
    })
    guest = String((await create('users/tokens', { user })).json.key)
  })
  afterAll(() => api.close())

  const site = (name: string, more: object = {}) => ({
    name,
    slug: name,
    description: 'x',
    ...more,
  })

  const refusalOf = (path: string) => ({
    __all__: [expect.stringContaining(`Custom validation failed for ${path}: [`)],
  })

  it('refuse objects that do not meet the conditions, and name the first value that does not', async () => {
    const refused = await create('dcim/sites', site('Ab', { slug: 'ab', description: '' }))
    expect(refused.status).toBe(400)
    const sentences = "'Ensure this value has at least 3 characters (it has 2).', 'Enter a valid value.'"
    expect(refused.json).toEqual({ __all__: [`Custom validation failed for name: [${sentences}]`] })
    expect((await create('dcim/sites', site('good'))).status).toBe(201)
  })

  it('apply to changes and to every object of a list', async () => {
    const { id } = (await create('dcim/sites', site('changed'))).json
    const path = `/api/dcim/sites/${id}/`
    expect((await api.ask('PATCH', path, { body: { name: 'x' } })).status).toBe(400)
    expect((await api.ask('PATCH', path, { body: { name: 'other' } })).status).toBe(200)
    expect((await create('dcim/sites', [site('one'), site('2')])).status).toBe(400)
  })

  it('can use related objects, the user and the length of lists', async () => {
    const region = (await create('dcim/regions', { name: 'Closed', slug: 'closed' })).json.id
    const inClosed = await create('dcim/sites', site('closed', { region }))
    expect([inClosed.status, inClosed.json]).toEqual([400, refusalOf('region.slug')])
    const byGuest = await create('dcim/sites', site('guests'), guest)
    expect([byGuest.status, byGuest.json]).toEqual([400, refusalOf('request.user.username')])
    const rir = (await create('ipam/rirs', { name: 'r', slug: 'r' })).json.id
    const asns = [(await create('ipam/asns', { asn: 1, rir })).json.id]
    expect((await create('dcim/sites', site('numbered', { asns }))).status).toBe(201)
    asns.push((await create('ipam/asns', { asn: 2, rir })).json.id)
    const many = await create('dcim/sites', site('numbers', { asns }))
    expect([many.status, many.json]).toEqual([400, refusalOf('asns')])
  })

  it('prevent the deletion of objects, including deletion by cascade', async () => {
    const { id } = (await create('dcim/sites', site('protected'))).json
    const path = `/api/dcim/sites/${id}/`
    const refused = await api.ask('DELETE', path)
    expect([refused.status, String(refused.json.detail)]).toEqual([409, expect.stringContaining('status')])
    await api.ask('PATCH', path, { body: { status: 'retired' } })
    expect((await api.ask('DELETE', path)).status).toBe(204)

    const region = (await create('dcim/regions', { name: 'r', slug: 'r' })).json.id
    const regionPath = `/api/dcim/regions/${region}/`
    expect((await api.ask('DELETE', regionPath, { token: guest })).status).toBe(409)
    expect((await api.ask('DELETE', regionPath)).status).toBe(204)
  })
})

it.each([
  ['CUSTOM_VALIDATORS', '{"dcim.nothing": [{"name": {"required": true}}]}', /no model dcim.nothing/],
  ['CUSTOM_VALIDATORS', '{"dcim.site": [{"nothing": {"required": true}}]}', /no value nothing/],
  ['CUSTOM_VALIDATORS', '{"dcim.site": [{"region.x": {"required": true}}]}', /no value region.x/],
  ['PROTECTION_RULES', '{"dcim.site": [{"name": {"regex": "("}}]}', /not a regular expression/],
  ['PROTECTION_RULES', '{"dcim.site": [{"name": {"longer": 1}}]}', /PROTECTION_RULES must be/],
  ['CUSTOM_VALIDATORS', '{"dcim.site": ["validator"]}', /CUSTOM_VALIDATORS must be/],
  ['FIELD_CHOICES', '{"dcim.Site.name": [["a", "A"]]}', /cannot be configured/],
  ['FIELD_CHOICES', '{"dcim.Site.status": ["a"]}', /FIELD_CHOICES must be/],
])('an invalid %s prevents the start: %s', async (name, value, message) => {
  await expect(startApi({ [name]: value })).rejects.toThrow(message)
})
