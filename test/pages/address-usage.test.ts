import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, startApi } from '../support/api.ts'
import { createdId, readPage } from '../support/requests.ts'

describe('utilization of prefixes by addresses', () => {
  let api: Api
  beforeAll(async () => {
    api = await startApi()
  })
  afterAll(() => api.close())

  // prefix, addresses, utilized ranges → text of its page
  it.each([
    ['10.7.3.0/26', ['10.7.3.5/26', '10.7.3.5/32', '10.7.3.5/26'], [], '1 of 62'],
    ['10.7.3.0/26', ['10.7.3.5/26', '10.7.3.6/26', '10.7.3.64/26'], [], '2 of 62'],
    ['10.7.3.0/26', ['10.7.3.4/26', '10.7.3.5/26'], [['10.7.3.5/26', '10.7.3.9/26']], '6 of 62'],
    // The masks of ranges do not matter, and a range at the edge is partly inside.
    ['10.7.3.0/26', ['10.7.3.1/32'], [['10.7.3.60/16', '10.7.3.70/16']], '5 of 62'],
    ['10.7.3.64/26', [], [['10.7.3.60/26', '10.7.3.70/26']], '7 of 62'],
    // Network and broadcast addresses are stored too.
    ['10.7.3.0/30', ['10.7.3.0/30', '10.7.3.1/30', '10.7.3.2/30', '10.7.3.3/30'], [], '2 of 2'],
    ['10.7.3.0/31', ['10.7.3.0/31', '10.7.3.1/31', '10.7.3.1/32'], [], '2 of 2'],
    ['10.7.3.0/32', ['10.7.3.0/32', '10.7.3.0/24'], [], '1 of 1'],
    ['2001:db8::/126', ['2001:db8::1/126', '2001:db8::1/128'], [], '1 of 4'],
    ['2001:db8::/126', [], [['2001:db8::1/64', '2001:db8::ff/64']], '3 of 4'],
  ] as const)('%s with %j and %j: %s', async (prefix, addresses, ranges, expected) => {
    const vrf = await createdId(api, 'ipam/vrfs', { name: 'v', enforce_unique: false })
    const id = await createdId(api, 'ipam/prefixes', { prefix, vrf })
    for (const address of addresses) await createdId(api, 'ipam/ip-addresses', { address, vrf })
    for (const [start_address, end_address] of ranges) {
      const range = { start_address, end_address, vrf, mark_utilized: true }
      await createdId(api, 'ipam/ip-ranges', range)
    }
    expect(await readPage(api, `/ipam/prefixes/${id}/`)).toContain(`%</strong> ${expected}`)
  })

  it('is in the lists of prefixes and aggregates, which are indented', async () => {
    const rir = await createdId(api, 'ipam/rirs', { name: 'r', slug: 'r' })
    await createdId(api, 'ipam/aggregates', { prefix: '172.16.0.0/12', rir })
    await createdId(api, 'ipam/prefixes', { prefix: '172.16.0.0/14', status: 'container' })
    await createdId(api, 'ipam/prefixes', { prefix: '172.16.0.0/16', status: 'container' })
    await createdId(api, 'ipam/prefixes', { prefix: '172.16.1.0/30' })
    await createdId(api, 'ipam/ip-addresses', { address: '172.16.1.1/30' })
    const rows = async (path: string): Promise<readonly string[]> =>
      [...(await readPage(api, path)).matchAll(/<th scope="row"([^>]*)><a[^>]*>(?:<bdi>)?([^<]+)[\s\S]*?<\/tr>/g)].map(
        ([row, level = '', name]) => {
          const share = /utilization-cell.*<\/svg> ([^<]+)</.exec(row)?.[1]
          return `${/depth-\d/.exec(level) ?? 'depth-0'} ${name} ${share}`
        },
      )
    expect(await rows('/ipam/prefixes/?within_include=172.16.0.0/12')).toEqual([
      'depth-0 172.16.0.0/14 25 %',
      'depth-1 172.16.0.0/16 &lt; 1 %',
      'depth-2 172.16.1.0/30 50 %',
    ])
    const headings = (await readPage(api, '/ipam/prefixes/')).matchAll(/<th scope="col"[^>]*>(?:<a[^>]*>)?([^<]+)/g)
    expect([...headings].map(([, text]) => text).slice(0, 3)).toEqual(['Prefix', 'Status', 'Utilization'])
    expect(await rows('/ipam/aggregates/')).toEqual(['depth-0 172.16.0.0/12 25 %'])
    const sorted = await rows('/ipam/prefixes/?within_include=172.16.0.0/12&ordering=-prefix')
    expect(sorted.every((row) => row.startsWith('depth-0'))).toBe(true)
  })

  it('warns only about prefixes that can run out, on every page that shows it', async () => {
    const rir = await createdId(api, 'ipam/rirs', { name: 'w', slug: 'w' })
    const vrf = await createdId(api, 'ipam/vrfs', { name: 'w' })
    const aggregate = await createdId(api, 'ipam/aggregates', { prefix: '192.0.2.0/24', rir })
    const add = (prefix: string, more = {}): Promise<number> =>
      createdId(api, 'ipam/prefixes', { prefix, vrf, ...more })
    const outer = await add('192.0.2.0/24', { status: 'container' })
    const ids = {
      'a container that is divided completely': await add('192.0.2.0/28', { status: 'container' }),
      'a prefix with all of its addresses in use': await add('192.0.2.0/29'),
      'one that is marked as utilized': await add('192.0.2.8/29', { mark_utilized: true }),
      'a link': await add('192.0.2.16/31'),
    }
    const hosts = ['1', '2', '3', '4', '5', '6', '16', '17']
    for (const host of hosts) await createdId(api, 'ipam/ip-addresses', { address: `192.0.2.${host}/32`, vrf })
    const levelIn = (page: string, id: number): string | undefined =>
      new RegExp(`/ipam/prefixes/${id}/"(?:(?!</tr>)[^])*?utilization-bar (\\w+)`).exec(page)?.[1]
    const levels = (page: string) => Object.entries(ids).map(([name, id]) => [name, levelIn(page, id)])
    const expected = [
      ['a container that is divided completely', 'neutral'],
      ['a prefix with all of its addresses in use', 'full'],
      ['one that is marked as utilized', 'neutral'],
      ['a link', 'neutral'],
    ]
    expect(levels(await readPage(api, `/ipam/prefixes/?vrf_id=${vrf}`))).toEqual(expected)
    expect(levels(await readPage(api, `/ipam/prefixes/${outer}/`))).toEqual(expected)
    for (const [name, id] of Object.entries(ids)) {
      const page = await readPage(api, `/ipam/prefixes/${id}/`)
      expect([name, /utilization-bar (\w+)/.exec(page)?.[1]]).toEqual(expected.find(([each]) => each === name))
    }
    for (const path of [`/ipam/aggregates/${aggregate}/`, '/ipam/aggregates/?q=192.0.2.0']) {
      expect(await readPage(api, path)).toContain('utilization-bar neutral')
    }
    const widget = /Fullest prefixes.*?<\/section>/s.exec(await readPage(api, '/'))?.[0] ?? ''
    const named = [...widget.matchAll(/\/ipam\/prefixes\/(\d+)\//g)].map(([, id]) => Number(id))
    expect(Object.entries(ids).filter(([, id]) => named.includes(id))).toEqual([
      ['a prefix with all of its addresses in use', ids['a prefix with all of its addresses in use']],
    ])
  })
})
