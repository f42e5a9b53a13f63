import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, type Document, startApi } from '../support/api.ts'
import { makePlaces } from './places.ts'

describe('MAC addresses', () => {
  let api: Api
  let device: number
  let machine: number
  beforeAll(async () => {
    api = await startApi({ API_VERSION: '4.7' })
    device = await (await makePlaces(api)).device('addressed')
    const type = await api.make('virtualization/cluster-types', { name: 'type', slug: 'type' })
    const cluster = await api.make('virtualization/clusters', { name: 'cluster', type })
    machine = await api.make('virtualization/virtual-machines', { name: 'addressed', cluster })
  })
  afterAll(() => api.close())

  const get = async (path: string) => (await api.ask('GET', `/api/${path}`)).json
  let interfaces = 0
  let addresses = 0
  const nextAddress = () => {
    addresses += 1
    return `02:00:00:00:00:${addresses.toString(16).padStart(2, '0').toUpperCase()}`
  }

  describe.each<[string, () => object]>([
    ['dcim/interfaces', () => ({ device, type: '1000base-t' })],
    ['virtualization/interfaces', () => ({ virtual_machine: machine })],
  ])('of %s', (path, own) => {
    const make = (more: object = {}) => {
      interfaces += 1
      return api.make(path, { ...own(), name: `port ${interfaces}`, ...more })
    }
    const patch = (id: number, body: object, method = 'PATCH') => api.ask(method, `/api/${path}/${id}/`, { body })
    /** The address of the interface, then all of its addresses, the primary one in brackets. */
    const stateOf = async (id: number) => {
      const { mac_address, primary_mac_address, mac_addresses } = await get(`${path}/${id}/`)
      expect(primary_mac_address?.mac_address ?? null).toEqual(mac_address)
      const flags = await Promise.all(
        (mac_addresses ?? []).map(async ({ id: each }: Document) => await get(`dcim/mac-addresses/${each}/`)),
      )
      return flags.map(({ mac_address: text, is_primary }) => (is_primary ? `[${text}]` : text))
    }

    it('are created by a new interface, and become primary', async () => {
      const address = nextAddress()
      expect(await stateOf(await make({ mac_address: address.toLowerCase() }))).toEqual([`[${address}]`])
    })

    it('are found again, or created, by a change, and the former address is kept', async () => {
      const [one, two] = [nextAddress(), nextAddress()]
      const id = await make({ mac_address: one })
      expect((await patch(id, { mac_address: two })).json.mac_address).toBe(two)
      expect(await stateOf(id)).toEqual([one, `[${two}]`])
      expect((await patch(id, { mac_address: one })).status).toBe(200)
      expect(await stateOf(id)).toEqual([`[${one}]`, two])
      expect((await patch(id, { mac_address: null })).json.mac_address).toBeNull()
      expect(await stateOf(id)).toEqual([one, two])
    })

    it('are kept if a PUT does not name them', async () => {
      const address = nextAddress()
      const id = await make({ mac_address: address })
      const { status, text } = await patch(id, { ...own(), name: `put ${id}` }, 'PUT')
      expect(status, text).toBe(200)
      expect(await stateOf(id)).toEqual([`[${address}]`])
    })

    it('may also be assigned to another interface', async () => {
      const address = nextAddress()
      const [one, two] = [await make({ mac_address: address }), await make({ mac_address: address })]
      expect([await stateOf(one), await stateOf(two)]).toEqual([[`[${address}]`], [`[${address}]`]])
    })

    it('are no longer primary once they are deleted, and primary ones cannot be moved', async () => {
      const id = await make({ mac_address: nextAddress() })
      const primary = (await get(`${path}/${id}/`)).primary_mac_address?.id
      const elsewhere = await api.ask('PATCH', `/api/dcim/mac-addresses/${primary}/`, {
        body: { assigned_object_type: 'dcim.interface', assigned_object_id: null },
      })
      expect(elsewhere.status, elsewhere.text).toBe(400)
      expect((await api.ask('DELETE', `/api/dcim/mac-addresses/${primary}/`)).status).toBe(204)
      expect(await stateOf(id)).toEqual([])
    })

    it.each<[string, unknown]>([
      ['an empty text', ''],
      ['what is not an address', 'no address'],
      ['an address of eight bytes', '00:11:22:33:44:55:66:77'],
      ['a number', 5],
      ['an object', { mac_address: '02:00:00:00:00:FE' }],
    ])('are refused if they are %s', async (_, mac_address) => {
      const id = await make()
      const refused = await patch(id, { mac_address })
      expect([refused.status, Object.keys(refused.json)]).toEqual([400, ['mac_address']])
      expect(await stateOf(id)).toEqual([])
    })

    it('must agree with the primary MAC address of the same body', async () => {
      const [one, two] = [nextAddress(), nextAddress()]
      const id = await make({ mac_address: one })
      const primary = (await get(`${path}/${id}/`)).primary_mac_address?.id
      const refused = await patch(id, { mac_address: two, primary_mac_address: primary })
      expect([refused.status, Object.keys(refused.json)]).toEqual([400, ['__all__']])
      expect((await patch(id, { mac_address: one, primary_mac_address: primary })).status).toBe(200)
      expect(await stateOf(id)).toEqual([`[${one}]`])
    })

    it('may be sent back unchanged with another primary MAC address, or with none', async () => {
      const [one, two] = [nextAddress(), nextAddress()]
      const id = await make({ mac_address: two })
      const second = (await get(`${path}/${id}/`)).primary_mac_address?.id
      await patch(id, { mac_address: one })
      const put = async (mac_address: string | null, primary_mac_address: unknown) => {
        const body = { ...own(), name: `put ${id}`, mac_address, primary_mac_address }
        const { status, text } = await patch(id, body, 'PUT')
        expect(status, text).toBe(200)
        return stateOf(id)
      }
      expect(await put(one, second)).toEqual([one, `[${two}]`])
      expect(await put(two, null)).toEqual([one, two])
      expect(await put(null, second)).toEqual([one, `[${two}]`])
    })

    it('count if they come with a primary MAC address that is not set, as before', async () => {
      const address = nextAddress()
      const id = await make({ mac_address: address, primary_mac_address: null })
      expect(await stateOf(id)).toEqual([`[${address}]`])
    })

    it('are written in lists, each for its interface, or not at all', async () => {
      const [one, two, three] = [nextAddress(), nextAddress(), nextAddress()]
      const ids = [await make(), await make()]
      const write = (texts: readonly string[]) =>
        api.ask('PATCH', `/api/${path}/`, { body: ids.map((id, index) => ({ id, mac_address: texts[index] })) })
      expect((await write([one, two])).status).toBe(200)
      expect(await Promise.all(ids.map(stateOf))).toEqual([[`[${one}]`], [`[${two}]`]])
      expect((await write([three, 'wrong'])).status).toBe(400)
      expect(await Promise.all(ids.map(stateOf))).toEqual([[`[${one}]`], [`[${two}]`]])
    })

    it('can be filtered by whether they are primary', async () => {
      const [one, two] = [nextAddress(), nextAddress()]
      const id = await make({ mac_address: one })
      await patch(id, { mac_address: two })
      expect(await stateOf(id)).toEqual([one, `[${two}]`])
      const found = await get(`${path}/?mac_address=${one}`)
      expect(found.results?.map(({ id: each }: Document) => each)).toEqual([id])
    })
  })
})
