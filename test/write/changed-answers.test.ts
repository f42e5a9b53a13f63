import { describe, expect, it } from 'vitest'
import { type Api, apiOfTest, type Document } from '../support/api.ts'

type Body = Readonly<Record<string, unknown>>

const create = async (api: Api, path: string, body: Body): Promise<number> =>
  Number((await api.ask('POST', `/api/${path}/`, { body })).json.id)

/** Data of the object's last two change records: after the first, and before and after the second. */
async function lastRecords(api: Api, id: number) {
  const query = `changed_object_id=${id}&ordering=-time&limit=2`
  const { results } = (await api.ask('GET', `/api/core/object-changes/?${query}`)).json
  const [last, earlier] = [...(results ?? [])]
  return {
    earlier: earlier?.postchange_data,
    before: last?.prechange_data,
    after: last?.postchange_data,
  }
}

describe('the response to a change', () => {
  const changes: readonly (readonly [string, Body])[] = [
    ['of texts', { description: 'changed', status: 'planned' }],
    ['of relations', { tenant: { slug: 'acme' }, asns: [1] }],
    ['of tags', { tags: [{ slug: 'blue' }, { slug: 'red' }] }],
    ['that does not change tags and relations', { facility: 'F1' }],
    ['of tags only', { tags: [{ slug: 'red' }] }],
    ['of custom fields', { custom_fields: { code: 'c1' } }],
    ['of nothing', {}],
    ['that clears', { tenant: null, asns: [], tags: [], custom_fields: { code: null } }],
  ]

  it('matches what is read afterwards, and what is recorded', async () => {
    const api = await apiOfTest()
    await create(api, 'tenancy/tenants', { name: 'Acme', slug: 'acme' })
    const rir = await create(api, 'ipam/rirs', { name: 'RIR', slug: 'rir' })
    await create(api, 'ipam/asns', { asn: 64512, rir })
    for (const name of ['red', 'blue']) await create(api, 'extras/tags', { name, slug: name })
    await create(api, 'extras/custom-fields', {
      ...{ name: 'code', type: 'text', object_types: ['dcim.site'] },
    })
    const id = await create(api, 'dcim/sites', { name: 'A', slug: 'a' })
    for (const [name, body] of changes) {
      const changed = await api.ask('PATCH', `/api/dcim/sites/${id}/`, { body })
      const read = await api.ask('GET', `/api/dcim/sites/${id}/`)
      expect(changed.text, name).toBe(read.text)
      expect(changed.headers.get('etag'), name).toBe(read.headers.get('etag'))
      expect(read.headers.get('etag')).not.toBeNull()
      const { earlier, before, after } = await lastRecords(api, id)
      expect(before, name).toEqual(earlier)
      const { tags, tenant, description, facility, custom_fields } = read.json
      expect(after, name).toMatchObject({
        ...{ description, facility, custom_fields, tenant: tenant?.id ?? null },
        tags: [...(tags ?? [])].map((tag) => tag.name),
      })
    }
  })

  it('of many objects shows their new state, even if they refer to each other', async () => {
    const api = await apiOfTest()
    const vrf = await create(api, 'ipam/vrfs', { name: 'V' })
    const addresses = ['10.0.0.2/24', '10.0.0.1/24', '2001:db8::1/64']
    const path = '/api/ipam/ip-addresses/'
    const body = addresses.map((address) => ({ address, vrf }))
    const [one, two, three] = [...(await api.ask('POST', path, { body })).json].map(({ id }) => id)
    const targets = [
      { id: one, nat_inside: two, status: 'reserved' },
      { id: three, address: '2001:db8::2/64' },
      { id: two, description: 'inside' },
    ]
    const changed = [...(await api.ask('PATCH', path, { body: targets })).json]
    const listed = [...((await api.ask('GET', path)).json.results ?? [])]
    const byId = (list: readonly Document[]) => list.toSorted((each, other) => Number(each.id) - Number(other.id))
    expect(byId(changed)).toEqual(byId(listed))
    expect(changed.map(({ display }) => display)).toEqual(listed.map(({ display }) => display))
  })
})
