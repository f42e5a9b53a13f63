import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, startApi } from '../support/api.ts'

describe('free addresses, prefixes and numbers', () => {
  let api: Api
  beforeAll(async () => {
    api = await startApi()
  })
  afterAll(async () => {
    await api.close()
  })

  const free = async (path: string, key: string) => {
    const [place, query = ''] = path.split('?')
    const { json } = await api.ask('GET', `/api/${place}/?${query}`)
    return json.map((each) => each[key])
  }

  describe('addresses', () => {
    it('are unused, and neither the network address, nor the broadcast address, nor in a populated range', async () => {
      const id = await api.make('ipam/prefixes', { prefix: '10.1.0.0/28' })
      await api.make('ipam/ip-addresses', { address: '10.1.0.1/28' })
      await api.make('ipam/ip-addresses', { address: '10.1.0.14/32' })
      await api.make('ipam/ip-ranges', {
        start_address: '10.1.0.3/28',
        end_address: '10.1.0.11/28',
        mark_populated: true,
      })
      const path = `ipam/prefixes/${id}/available-ips`
      expect(await free(path, 'address')).toEqual(['10.1.0.2/28', '10.1.0.12/28', '10.1.0.13/28'])
      expect(await free(`${path}?limit=1`, 'address')).toEqual(['10.1.0.2/28'])

      await api.ask('PATCH', `/api/ipam/prefixes/${id}/`, { body: { is_pool: true } })
      expect(await free(path, 'address')).toEqual([
        '10.1.0.0/28',
        '10.1.0.2/28',
        '10.1.0.12/28',
        '10.1.0.13/28',
        '10.1.0.15/28',
      ])
    })

    it('include those at the ends of the address spaces', async () => {
      const last = await api.make('ipam/prefixes', { prefix: '255.255.255.254/31' })
      const path = `ipam/prefixes/${last}/available-ips`
      expect(await free(path, 'address')).toEqual(['255.255.255.254/31', '255.255.255.255/31'])
      await api.make(path, {})
      await api.make(path, {})
      expect(await free(path, 'address')).toEqual([])
      const first = await api.make('ipam/prefixes', { prefix: '::/64' })
      expect(await free(`ipam/prefixes/${first}/available-ips?limit=2`, 'address')).toEqual(['::1/64', '::2/64'])
    })

    it('are created with the values in the request, all of them or none', async () => {
      const id = await api.make('ipam/prefixes', { prefix: '10.2.0.0/29' })
      const path = `/api/ipam/prefixes/${id}/available-ips/`
      const made = await api.ask('POST', path, {
        body: [{ description: 'one' }, { prefix_length: 32, dns_name: 'two' }],
      })
      expect(made.status).toBe(201)
      expect(made.json.map(({ address }) => address)).toEqual(['10.2.0.1/29', '10.2.0.2/32'])
      expect(made.json[0]?.description).toBe('one')

      const refusals: [unknown, number, unknown][] = [
        [[{}, {}, {}, {}, {}], 409, ['detail']],
        [{ prefix_length: 28 }, 400, ['0']],
        [{ prefix_length: 33 }, 400, ['0']],
        [{ prefix_length: 'x' }, 400, ['0']],
        [{ prefix_length: { toString: 1 } }, 400, ['0']],
        [[{ prefix_length: { valueOf: 1, toString: 1 } }, {}], 400, ['0', '1']],
        [{ prefix_length: [29] }, 400, ['0']],
        [{ status: 'nope' }, 400, ['status']],
        [[{}, { status: 'nope' }], 400, ['0', '1']],
        ['text', 400, ['non_field_errors']],
        [[1], 400, ['0']],
      ]
      for (const [body, status, keys] of refusals) {
        const answer = await api.ask('POST', path, {
          body: JSON.stringify(body),
          headers: JSON_BODY,
        })
        expect([answer.status, Object.keys(answer.json)], answer.text).toEqual([status, keys])
      }
      expect((await free(`ipam/prefixes/${id}/available-ips`, 'address')).length).toBe(4)
    })

    it('two hundred concurrent requests get two hundred addresses', async () => {
      const id = await api.make('ipam/prefixes', { prefix: '10.3.0.0/24' })
      const path = `/api/ipam/prefixes/${id}/available-ips/`
      await api.ask('POST', path, { body: Array.from({ length: 54 }, () => ({})) })
      const answers = await Promise.all(Array.from({ length: 201 }, () => api.ask('POST', path, { body: {} })))
      const made = answers.filter(({ status }) => status === 201).map(({ json }) => json.address)
      expect(new Set(made).size).toBe(200)
      // There were 200 left for 201 requests.
      expect(answers.map(({ status }) => status).filter((status) => status !== 201)).toEqual([409])
    })
  })

  describe('prefixes', () => {
    it('are taken from space that no other prefix occupies', async () => {
      const id = await api.make('ipam/prefixes', { prefix: '10.4.0.0/24' })
      await api.make('ipam/prefixes', { prefix: '10.4.0.64/26' })
      const path = `ipam/prefixes/${id}/available-prefixes`
      expect(await free(path, 'prefix')).toEqual(['10.4.0.0/26', '10.4.0.128/25'])
      const made = await api.ask('POST', `/api/${path}/`, {
        body: [{ prefix_length: 25 }, { prefix_length: 27, description: 'small' }],
      })
      expect(made.json.map(({ prefix, _depth }) => [prefix, _depth])).toEqual([
        ['10.4.0.128/25', 1],
        ['10.4.0.0/27', 1],
      ])
      expect(await free(path, 'prefix')).toEqual(['10.4.0.32/27'])
    })

    it('concurrent requests get different prefixes', async () => {
      const id = await api.make('ipam/prefixes', { prefix: '10.5.0.0/24' })
      const path = `/api/ipam/prefixes/${id}/available-prefixes/`
      const answers = await Promise.all(
        Array.from({ length: 17 }, () => api.ask('POST', path, { body: { prefix_length: 28 } })),
      )
      const made = answers.filter(({ status }) => status === 201).map(({ json }) => json.prefix)
      expect(new Set(made).size).toBe(16)
    })
  })

  it('VLANs and AS numbers are allocated from the lowest number up', async () => {
    const group = await api.make('ipam/vlan-groups', {
      name: 'g',
      slug: 'g',
      vid_ranges: [
        [20, 21],
        [5, 6],
      ],
    })
    await api.make('ipam/vlans', { name: 'five', vid: 5, group })
    const vlans = `ipam/vlan-groups/${group}/available-vlans`
    expect(await free(vlans, 'vid')).toEqual([6, 20, 21])
    const made = await Promise.all(
      [1, 2, 3, 4].map((n) => api.ask('POST', `/api/${vlans}/`, { body: { name: `v${n}` } })),
    )
    expect(made.map(({ status, json }) => (status === 201 ? json.vid : status)).toSorted()).toEqual([20, 21, 409, 6])
    const nameless = await api.ask('POST', `/api/${vlans}/`, { body: {} })
    expect([nameless.status, nameless.json[0]]).toMatchObject([400, { name: [expect.any(String)] }])

    const rir = await api.make('ipam/rirs', { name: 'r', slug: 'r' })
    const range = await api.make('ipam/asn-ranges', {
      name: 'a',
      slug: 'a',
      rir,
      start: 1,
      end: 4294967295,
    })
    await api.make('ipam/asns', { asn: 2, rir })
    const asns = `ipam/asn-ranges/${range}/available-asns`
    expect(await free(`${asns}?limit=3`, 'asn')).toEqual([1, 3, 4])
    const two = await api.ask('POST', `/api/${asns}/`, { body: [{}, { description: 'd' }] })
    expect(two.json.map(({ asn, description, rir }) => [asn, description, rir?.id])).toEqual([
      [1, '', rir],
      [3, 'd', rir],
    ])
  })

  it('a container that does not exist has no free space', async () => {
    for (const path of ['prefixes/9/available-ips', 'ip-ranges/x/available-ips', 'vlan-groups/0/available-vlans']) {
      expect((await api.ask('GET', `/api/ipam/${path.replace('/9/', '/99999/')}/`)).status).toBe(404)
    }
  })
})

const JSON_BODY = { 'content-type': 'application/json' }
