import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, startApi } from '../support/api.ts'
import { createdId, readPage } from '../support/requests.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

const emptyIn = (text: string): string => /<div class="empty-list">.*?<\/div><\/div>/s.exec(text)?.[0] ?? ''

describe('an empty list', () => {
  it.each([
    ['/dcim/devices/', 'No devices yet.', /A switch, a router/, '/dcim/devices/'],
    ['/ipam/prefixes/', 'No prefixes yet.', /An IPv4 or IPv6 network/, '/ipam/prefixes/'],
    ['/circuits/circuits/', 'No circuits yet.', /A line of a provider/, '/circuits/circuits/'],
    ['/dcim/regions/', 'No regions yet.', /A country, a province/, '/dcim/regions/'],
    ['/dcim/topology/', 'No devices yet.', /A switch, a router/, '/dcim/devices/'],
    ['/dcim/topology/?group=rack&end_to_end=true', 'No devices yet.', /A switch, a router/, '/dcim/devices/'],
    ['/dcim/rack-elevations/', 'No racks yet.', /A cabinet or frame/, '/dcim/racks/'],
    ['/dcim/rack-elevations/?face=rear', 'No racks yet.', /A cabinet or frame/, '/dcim/racks/'],
    ['/dcim/sites/map/', 'No sites yet.', /A building or a data center/, '/dcim/sites/'],
  ])('says what its objects are and how to add them: %s', async (path, title, about, list) => {
    const empty = emptyIn(await readPage(api, path))
    expect(empty).toContain(`<h2>${title}</h2>`)
    expect(empty).toMatch(about)
    expect(empty).toContain(`href="${list}add/"`)
    expect(empty).toContain(`href="${list}import/"`)
  })

  it.each(['/dcim/devices/', '/dcim/topology/', '/dcim/rack-elevations/', '/dcim/sites/map/'])(
    'says that nothing matches if there are filters: %s',
    async (path) => {
      const text = await readPage(api, `${path}?name=nothing`)
      expect(text).toContain('Nothing matches these filters.')
      expect(emptyIn(text)).toBe('')
    },
  )

  it('offers nothing to users who may not add such objects, or of models that nobody can add', async () => {
    const user = await createdId(api, 'users/users', { username: 'guest', password: 'Guest-2026-x!' })
    const body = { name: 'view', users: [user], object_types: ['dcim.device'], actions: ['view'] }
    await createdId(api, 'users/permissions', body)
    const { json } = await api.ask('POST', '/api/users/tokens/', { body: { user, version: 1 } })
    const text = await readPage(api, '/dcim/devices/', String(json.token ?? json.key))
    expect(text).toContain('<h2>No devices yet.</h2>')
    expect(text).not.toContain('/dcim/devices/add/')
    expect(await readPage(api, '/core/jobs/')).not.toContain('/core/jobs/add/')
  })
})
