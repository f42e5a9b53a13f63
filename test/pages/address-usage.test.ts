import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Api, startApi } from '../support/api.ts'
import { forEachStorage } from '../support/database.ts'
import { createdId, readPage } from '../support/requests.ts'

forEachStorage('utilization of prefixes by addresses', (open) => {
  let api: Api
  beforeAll(async () => {
    api = await startApi(open)
  })
  afterAll(() => api.close())

  // prefix, addresses, utilized ranges → text of its page
  it.each([
    ['10.7.3.0/26', ['10.7.3.5/26', '10.7.3.5/32', '10.7.3.5/26'], [], '1 of 62'],
    ['10.7.3.0/26', ['10.7.3.5/26', '10.7.3.6/26', '10.7.3.64/26'], [], '2 of 62'],
    ['10.7.3.0/26', ['10.7.3.4/26', '10.7.3.5/26'], [['10.7.3.5/26', '10.7.3.9/26']], '6 of 62'],
    // The masks of ranges do not matter, and of a range at the edge a part is inside.
    ['10.7.3.0/26', ['10.7.3.1/32'], [['10.7.3.60/16', '10.7.3.70/16']], '5 of 62'],
    ['10.7.3.64/26', [], [['10.7.3.60/26', '10.7.3.70/26']], '7 of 62'],
    // Addresses of the network and of broadcasts are stored too.
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
})
