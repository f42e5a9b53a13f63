import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, startApi } from '../support/api.ts'

describe('validators in Python', () => {
  let api: Api
  let region: number
  beforeAll(async () => {
    const classes = ['rules.sites.ActiveSites', 'rules.sites.FacilityStays', 'validators.FullRegions']
    api = await startApi({
      ...{ SCRIPTS_ROOT: join(import.meta.dirname, 'python-validators') },
      CUSTOM_VALIDATORS: JSON.stringify({ 'dcim.site': classes }),
    })
    region = await api.make('dcim/regions', { name: 'North', slug: 'north' })
  })
  afterAll(() => api.close())

  const create = async (name: string, values: object) => {
    const body = { name, slug: name, status: 'planned', ...values }
    return await api.ask('POST', '/api/dcim/sites/', { body })
  }

  it('refuse an object with a message for its field, and know the person', async () => {
    const { status, json } = await create('a', { status: 'active' })
    expect([status, json]).toEqual([400, { description: ['admin must describe active sites.'] }])
    expect((await create('a', { status: 'active', description: 'd' })).status).toBe(201)
  })

  it('compare an object with its stored values', async () => {
    const { json: site } = await create('b', { facility: 'F' })
    const change = async (body: object) => await api.ask('PATCH', `/api/dcim/sites/${site.id}/`, { body })
    const { status, json } = await change({ facility: '' })
    expect([status, json]).toEqual([400, { facility: ['The facility must not be removed.'] }])
    expect((await change({ facility: 'G' })).status).toBe(200)
  })

  it('read other objects', async () => {
    for (const name of ['c', 'd']) expect((await create(name, { region })).status).toBe(201)
    const { status, json } = await create('e', { region })
    expect([status, json]).toEqual([400, { __all__: ['North has two sites.'] }])
  })
})
