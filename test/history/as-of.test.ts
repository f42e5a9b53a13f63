import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { volatile } from '../../src/sql/fragment.ts'
import { type Api, type Document, startApi } from '../support/api.ts'

describe('reads as of a point in time', () => {
  let api: Api
  beforeAll(async () => {
    api = await startApi()
  })
  afterAll(() => api.close())

  const write = async (method: string, path: string, body?: object): Promise<Document> => {
    const { status, text } = await api.ask(method, `/api/${path}`, { body })
    expect(status, text).toBeLessThan(300)
    return text === '' ? ({} as Document) : JSON.parse(text)
  }
  const get = async (path: string): Promise<Document> => {
    const { status, text, json } = await api.ask('GET', `/api/${path}`)
    expect(status, text).toBe(200)
    return json
  }
  /** The time of the database, and no change in the same millisecond. */
  const now = async (): Promise<string> => {
    const [[time] = []] = await api.service.database.queryArrays(
      volatile`select clock_timestamp() from pg_sleep(0.002)`,
    )
    await api.service.database.queryArrays(volatile`select pg_sleep(0.002)`)
    return String(time)
  }
  const named = ({ results }: Document): readonly unknown[] => (results ?? []).map(({ name }) => name)

  it('are not disturbed by a clock that was ahead and has been set back', async () => {
    const site = await write('POST', 'dcim/sites/', { name: 'clock', slug: 'clock' })
    const change = async (description: string) => {
      await write('PATCH', `dcim/sites/${site.id}/`, { description })
      return await now()
    }
    const description = async (timestamp: string | number) =>
      (await get(`dcim/sites/${site.id}/?as_of=${timestamp}`)).description
    const before = await change('before')
    for (const each of ['ahead 1', 'ahead 2']) await change(each)
    await api.background.runUntilIdle()
    // As if the clock had been an hour ahead for these two.
    await api.service.database.execute(volatile`
      update cadastre_moment set time = time + interval '1 hour', begun = begun + interval '1 hour'
      where number in (select number from cadastre_moment order by number desc limit 2)`)
    const events = await get(`core/events/?object_id=${site.id}&limit=1000`)
    const [, , ahead] = (events.results ?? []).map(({ position }) => Number(position))
    expect(await description(Number(ahead))).toBe('ahead 1')
    const timestamps: string[] = []
    for (const each of ['b0', 'b1', 'b2', 'b3']) {
      timestamps.push(await change(each))
      await api.background.runUntilIdle()
      expect(await description(await now())).toBe(each)
    }
    expect(await Promise.all([before, ...timestamps].map(description))).toEqual([...['before', 'b0', 'b1', 'b2', 'b3']])
    await write('DELETE', `dcim/sites/${site.id}/`)
  })

  describe('of a site with its racks', () => {
    let before: string
    let during: string
    let after: string
    let position: number
    let site: Document
    beforeAll(async () => {
      before = await now()
      const tag = await write('POST', 'extras/tags/', { name: 'old', slug: 'old' })
      site = await write('POST', 'dcim/sites/', { name: 'First', slug: 'first', tags: [tag.id] })
      await write('POST', 'dcim/racks/', { name: 'R1', site: site.id })
      const asns = await write('POST', 'ipam/rirs/', { name: 'RIR', slug: 'rir' })
      const asn = await write('POST', 'ipam/asns/', { asn: 65000, rir: asns.id })
      await write('PATCH', `dcim/sites/${site.id}/`, { asns: [asn.id] })
      during = await now()
      await api.background.runUntilIdle()
      const { results } = await get('core/events/')
      position = Number(results?.at(-1)?.position)
      await write('PATCH', `dcim/sites/${site.id}/`, { name: 'Second', tags: [], asns: [] })
      await write('POST', 'dcim/racks/', { name: 'R2', site: site.id })
      await write('PATCH', `extras/tags/${tag.id}/`, { name: 'new' })
      after = await now()
      for (const { id } of (await get('dcim/racks/')).results ?? []) await write('DELETE', `dcim/racks/${id}/`)
      await write('DELETE', `dcim/sites/${site.id}/`)
    })

    it.each([
      { name: 'a list', path: () => `dcim/sites/?as_of=${during}`, result: ['First'] },
      {
        name: 'a list by a position',
        path: () => `dcim/sites/?as_of=${position}`,
        result: ['First'],
      },
      {
        name: 'a list after a change',
        path: () => `dcim/sites/?as_of=${after}`,
        result: ['Second'],
      },
      { name: 'a list before the creation', path: () => `dcim/sites/?as_of=${before}`, result: [] },
      { name: 'a list of today', path: () => 'dcim/sites/', result: [] },
      {
        name: 'a filter by a value of then',
        path: () => `dcim/sites/?name=First&as_of=${during}`,
        result: ['First'],
      },
      {
        name: 'a filter by a later value',
        path: () => `dcim/sites/?name=Second&as_of=${during}`,
        result: [],
      },
      {
        name: 'a filter by a tag of then',
        path: () => `dcim/sites/?tag=old&as_of=${during}`,
        result: ['First'],
      },
      {
        name: 'a filter by a many to many relation',
        path: () => `dcim/sites/?asn=65000&as_of=${during}`,
        result: ['First'],
      },
      { name: 'that filter later', path: () => `dcim/sites/?asn=65000&as_of=${after}`, result: [] },
      {
        name: 'a filter through a relation',
        path: () => `dcim/racks/?site=first&as_of=${during}`,
        result: ['R1'],
      },
      {
        name: 'an order',
        path: () => `dcim/racks/?ordering=-name&as_of=${after}`,
        result: ['R2', 'R1'],
      },
      {
        name: 'a brief list',
        path: () => `dcim/racks/?brief=1&as_of=${after}`,
        result: ['R1', 'R2'],
      },
      { name: 'a search', path: () => `dcim/sites/?q=fir&as_of=${during}`, result: ['First'] },
      {
        name: 'an offset',
        path: () => `dcim/racks/?limit=1&offset=1&as_of=${after}`,
        result: ['R2'],
      },
    ])('succeed for $name', async ({ path, result }) => {
      expect(named(await get(path()))).toEqual(result)
    })

    it('show nested objects and counts of that time, however often they are requested', async () => {
      for (let time = 0; time < 3; time++) {
        const shown = await get(`dcim/sites/${site.id}/?as_of=${during}`)
        expect(shown).toMatchObject({
          name: 'First',
          rack_count: 1,
          tags: [{ name: 'old' }],
          asns: [{ asn: 65000 }],
        })
        const later = await get(`dcim/sites/${site.id}/?as_of=${after}`)
        expect(later).toMatchObject({ name: 'Second', rack_count: 2, tags: [], asns: [] })
        const [rack] = (await get(`dcim/racks/?as_of=${during}`)).results ?? []
        expect(rack).toMatchObject({ site: { name: 'First' } })
        expect((await api.ask('GET', `/api/dcim/sites/${site.id}/`)).status).toBe(404)
      }
    })

    it('keep the time in links to other pages', async () => {
      const { next } = await get(`dcim/racks/?limit=1&as_of=${after}`)
      const { results } = await get(String(next).split('/api/')[1] ?? '')
      expect(results?.[0]?.name).toBe('R2')
    })
  })

  it.each([
    {
      name: 'a time before the history',
      query: 'dcim/sites/?as_of=2001-01-01',
      message: /The history begins at \d{4}-/,
    },
    {
      name: 'the future',
      query: 'dcim/sites/?as_of=2990-01-01T00:00:00Z',
      message: /is in the future/,
    },
    { name: 'another text', query: 'dcim/sites/?as_of=yesterday', message: /Enter a time/ },
    {
      name: 'a position that does not exist',
      query: 'dcim/sites/?as_of=999999',
      message: /has no position 999999/,
    },
    {
      name: 'objects without past versions',
      query: 'core/jobs/?as_of=2001-01-01',
      message: /Past versions of jobs are not stored/,
    },
  ])('refuse $name', async ({ query, message }) => {
    const { status, json } = await api.ask('GET', `/api/${query}`)
    expect(status).toBe(400)
    expect(json.as_of?.[0]).toMatch(message)
  })

  it('cannot be combined with writes', async () => {
    const body = { name: 'Past', slug: 'past' }
    const { status } = await api.ask('POST', `/api/dcim/sites/?as_of=${await now()}`, { body })
    expect(status).toBe(400)
    expect((await get('dcim/sites/?name=Past')).count).toBe(0)
  })

  it('show what was stored before the first change of a model, also after earlier reads', async () => {
    const { id } = await write('POST', 'tenancy/contact-roles/', { name: 'Old', slug: 'old' })
    const time = await now()
    const list = `tenancy/contact-roles/?as_of=${time}`
    expect(named(await get(list))).toEqual(['Old'])
    await write('PATCH', `tenancy/contact-roles/${id}/`, { name: 'New' })
    expect(named(await get(list))).toEqual(['Old'])
    await write('DELETE', `tenancy/contact-roles/${id}/`)
    expect(named(await get(list))).toEqual(['Old'])
  })

  it.each([
    { name: 'few', filter: 'name=eth9', count: 1 },
    { name: 'many', filter: 'enabled=true', count: 1_200 },
  ])('filter lists in the order of another table: $name', async ({ filter, count }) => {
    if (!(await get('dcim/devices/')).count) await makeInterfaces()
    const time = await now()
    const [device] = (await get('dcim/devices/')).results ?? []
    const path = `dcim/interfaces/?${filter}&limit=3&brief=1&fields=id,name`
    const today = await get(path)
    expect(today.count).toBe(count)
    await write('PATCH', `dcim/devices/${device?.id}/`, { name: `sw ${count}` })
    const { results, count: past } = await get(`${path}&as_of=${time}`)
    expect({ results, count: past }).toEqual({ results: today.results, count })
  })

  /** 1,200 interfaces of one device. */
  async function makeInterfaces(): Promise<void> {
    const manufacturer = await write('POST', 'dcim/manufacturers/', { name: 'M', slug: 'm' })
    const type = await write('POST', 'dcim/device-types/', {
      ...{ manufacturer: manufacturer.id, model: 'T', slug: 't' },
    })
    const role = await write('POST', 'dcim/device-roles/', { name: 'Role', slug: 'role' })
    const place = await write('POST', 'dcim/sites/', {
      name: 'Place',
      slug: 'place',
      status: 'planned',
    })
    const device = await write('POST', 'dcim/devices/', {
      ...{ name: 'sw', site: place.id, role: role.id, device_type: type.id },
    })
    await write(
      'POST',
      'dcim/interfaces/',
      Array.from({ length: 1_200 }, (_, index) => ({
        ...{ device: device.id, name: `eth${index}`, type: 'other' },
      })),
    )
  }

  it('apply current permissions to past rows', async () => {
    const reader = await write('POST', 'users/users/', {
      username: 'reader',
      password: 'Reader-Passw0rd',
    })
    await write('POST', 'users/permissions/', {
      ...{ name: 'open sites', object_types: ['dcim.site'], actions: ['view'], users: [reader.id] },
      constraints: { status: 'active' },
    })
    const token = String((await write('POST', 'users/tokens/', { user: reader.id })).key)
    const open = await write('POST', 'dcim/sites/', {
      name: 'Open',
      slug: 'open',
      status: 'active',
    })
    const closed = await write('POST', 'dcim/sites/', {
      name: 'Closed',
      slug: 'closed',
      status: 'planned',
    })
    const time = await now()
    await write('PATCH', `dcim/sites/${open.id}/`, { status: 'planned' })
    await write('PATCH', `dcim/sites/${closed.id}/`, { status: 'active' })
    const seen = async (query: string) => named((await api.ask('GET', `/api/dcim/sites/${query}`, { token })).json)
    expect(await seen('')).toEqual(['Closed'])
    expect(await seen(`?as_of=${time}`)).toEqual(['Open'])
    expect((await api.ask('GET', `/api/dcim/racks/?as_of=${time}`, { token })).status).toBe(403)
  })

  it('succeed while tables get their first past versions', async () => {
    const manufacturer = await write('POST', 'dcim/manufacturers/', {
      name: 'Early M',
      slug: 'early-m',
    })
    const site = await write('POST', 'dcim/sites/', { name: 'Busy', slug: 'busy' })
    const device = {
      site: site.id,
      role: (await write('POST', 'dcim/device-roles/', { name: 'Early R', slug: 'early-r' })).id,
      platform: (await write('POST', 'dcim/platforms/', { name: 'Early P', slug: 'early-p' })).id,
      tenant: (await write('POST', 'tenancy/tenants/', { name: 'Early T', slug: 'early-t' })).id,
      device_type: (
        await write('POST', 'dcim/device-types/', {
          ...{ manufacturer: manufacturer.id, model: 'Early DT', slug: 'early-dt' },
        })
      ).id,
    }
    for (const name of ['one', 'two']) await write('POST', 'dcim/devices/', { ...device, name })
    const time = await now()
    const read = () => api.ask('GET', `/api/dcim/devices/?site=busy&as_of=${time}`)
    await read()
    for (const [path, id] of [
      ['dcim/device-roles', device.role],
      ['dcim/platforms', device.platform],
      ['tenancy/tenants', device.tenant],
      ['dcim/manufacturers', manufacturer.id],
      ['dcim/device-types', device.device_type],
      ['dcim/sites', site.id],
    ] as const) {
      const change = write('PATCH', `${path}/${id}/`, { description: 'changed' })
      const responses = await Promise.all(Array.from({ length: 10 }, read))
      await change
      for (const { status, json } of [...responses, await read()]) {
        expect([status, named(json)]).toEqual([200, ['one', 'two']])
      }
    }
  })
})
