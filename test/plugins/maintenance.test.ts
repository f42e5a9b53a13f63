import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { findCollections } from '../../src/transfer/collections.ts'
import { exportDataSet } from '../../src/transfer/export-directory.ts'
import { type Api, startApi } from '../support/api.ts'
import { PLUGINS } from '../support/plugins.ts'

const CONTRACTS = '/api/plugins/maintenance/contracts/'

describe('a plugin', () => {
  let api: Api
  let manufacturer: number
  let device: number
  let offline: number

  beforeAll(async () => {
    api = await startApi({ PLUGINS })
    const site = await api.make('dcim/sites', { name: 'Here', slug: 'here' })
    manufacturer = await api.make('dcim/manufacturers', { name: 'Maker', slug: 'maker' })
    const type = { manufacturer, model: 'Box', slug: 'box' }
    const device_type = await api.make('dcim/device-types', type)
    const role = await api.make('dcim/device-roles', { name: 'Role', slug: 'role' })
    device = await api.make('dcim/devices', { name: 'one', site, device_type, role })
    offline = await api.make('dcim/devices', {
      ...{ name: 'two', site, device_type, role },
      status: 'offline',
    })
    await api.make('extras/tags', { name: 'Old', slug: 'old' })
  })
  afterAll(() => api.close())

  const contractOf = (number: string, more: object = {}) => ({
    ...{ number, manufacturer: { slug: 'maker' }, start_date: '2026-01-01' },
    ...more,
  })

  it('has objects that are created, read, changed and deleted', async () => {
    const body = contractOf('C-1', { devices: [device], tags: [{ slug: 'old' }] })
    const made = await api.ask('POST', CONTRACTS, { body })
    expect(made.status, made.text).toBe(201)
    expect(made.json).toMatchObject({
      url: `${api.url}${CONTRACTS}${made.json.id}/`,
      display_url: `${api.url}/plugins/maintenance/contracts/${made.json.id}/`,
      display: 'C-1',
      manufacturer: { name: 'Maker' },
      level: { value: 'basic', label: 'Basic' },
      devices: [{ name: 'one' }],
      tags: [{ slug: 'old' }],
      custom_fields: {},
    })
    const path = `${CONTRACTS}${made.json.id}/`
    const changed = await api.ask('PATCH', path, { body: { level: 'four-hours' } })
    expect(changed.json.level).toEqual({ value: 'four-hours', label: 'Four hours' })
    expect((await api.ask('GET', `${path}?brief=1`)).json).toMatchObject({ number: 'C-1' })
    expect((await api.ask('DELETE', path)).status).toBe(204)
    expect((await api.ask('GET', path)).status).toBe(404)

    const changes = `/api/core/object-changes/?changed_object_type=maintenance.contract&ordering=id`
    const records = (await api.ask('GET', changes)).json.results ?? []
    expect([...records].map(({ action }) => action?.value)).toEqual(['create', 'update', 'delete'])
    expect(records[1]?.prechange_data?.level).toBe('basic')
    expect(records[1]?.postchange_data?.level).toBe('four-hours')
  })

  it('refuses what its rules forbid', async () => {
    const refusal = async (more: object) => {
      const { status, json } = await api.ask('POST', CONTRACTS, { body: contractOf('X', more) })
      return [status, json]
    }
    expect(await refusal({ end_date: '2025-12-31' })).toEqual([400, { end_date: ['A contract ends after it starts.'] }])
    expect(await refusal({ devices: [offline] })).toEqual([400, { devices: ['two is offline.'] }])
    expect(await refusal({ level: 'best' })).toEqual([400, { level: [expect.any(String)] }])
    await api.make('plugins/maintenance/contracts', contractOf('D'))
    expect(await refusal({ number: 'D' })).toEqual([400, { number: ['contract with this number already exists.'] }])
  })

  it('has filters, orders and search', async () => {
    await api.make('plugins/maintenance/contracts', contractOf('F-1', { devices: [device] }))
    await api.make('plugins/maintenance/contracts', contractOf('F-2', { end_date: '2027-01-01' }))
    const numbers = async (query: string) => {
      const { status, json, text } = await api.ask('GET', `${CONTRACTS}?number__isw=F-&${query}`)
      expect(status, text).toBe(200)
      return [...(json.results ?? [])].map(({ number }) => number)
    }
    expect(await numbers('')).toEqual(['F-1', 'F-2'])
    expect(await numbers('ordering=-number')).toEqual(['F-2', 'F-1'])
    expect(await numbers('site=here')).toEqual(['F-1'])
    expect(await numbers(`device_id=${device}`)).toEqual(['F-1'])
    expect(await numbers('device=two')).toEqual([])
    expect(await numbers('end_date__lte=2027-06-01')).toEqual(['F-2'])
    expect(await numbers('q=f-2')).toEqual(['F-2'])
    expect((await api.ask('GET', `${CONTRACTS}?nope=1`)).status).toBe(
      (await api.ask('GET', '/api/dcim/sites/?nope=1')).status,
    )
  })

  it('is subject to permissions', async () => {
    await api.make('plugins/maintenance/contracts', contractOf('P-1', { level: 'next-day' }))
    const user = await api.make('users/users', { username: 'u', password: 'A-long-password-1' })
    const token = String((await api.ask('POST', '/api/users/tokens/', { body: { user } })).json.key)
    const read = () => api.ask('GET', `${CONTRACTS}?number=P-1`, { token })
    expect((await read()).status).toBe(403)
    await api.make('users/permissions', {
      ...{ name: 'see', object_types: ['maintenance.contract'], actions: ['view'] },
      ...{ users: [user], constraints: { level: 'next-day' } },
    })
    expect((await read()).json.count).toBe(1)
    expect((await api.ask('GET', `${CONTRACTS}?level=basic`, { token })).json.count).toBe(0)
    const body = contractOf('P-2')
    expect((await api.ask('POST', CONTRACTS, { body, token })).status).toBe(403)
  })

  it('is part of a data set', async () => {
    await api.make('plugins/maintenance/contracts', contractOf('S-1'))
    const directory = mkdtempSync(join(tmpdir(), 'cadastre-export-'))
    onTestFinished(() => rmSync(directory, { recursive: true }))
    await exportDataSet(api.service, directory)
    const endpoints = findCollections(directory).map(({ endpoint }) => endpoint)
    expect(endpoints).toContain('plugins/maintenance/contracts')
  })

  describe('is listed', () => {
    it('in the root of plugins, with its collections', async () => {
      expect((await api.ask('GET', '/api/plugins/')).json).toEqual({
        'installed-plugins': `${api.url}/api/plugins/installed-plugins/`,
        maintenance: `${api.url}/api/plugins/maintenance/`,
      })
      expect((await api.ask('GET', '/api/plugins/maintenance/')).json).toEqual({
        contracts: `${api.url}${CONTRACTS}`,
      })
      expect(Object.keys((await api.ask('GET', '/api/')).json)).not.toContain('maintenance')
    })

    it('among the installed plugins and in the status', async () => {
      expect((await api.ask('GET', '/api/plugins/installed-plugins/')).json).toEqual([
        {
          name: 'Maintenance',
          package: 'maintenance',
          author: '',
          author_email: '',
          description: 'Maintenance contracts of devices',
          version: '1.0.0',
        },
      ])
      expect((await api.ask('GET', '/api/status/')).json.plugins).toEqual({ maintenance: '1.0.0' })
    })

    it('among the types of objects, after those of the program', async () => {
      const { json } = await api.ask('GET', '/api/core/object-types/?limit=1000')
      const types = [...(json.results ?? [])]
      const own = types.filter(({ app_label }) => String(app_label) === 'maintenance')
      expect(own).toMatchObject([
        {
          app_label: 'maintenance',
          app_name: 'Maintenance',
          model: 'contract',
          display: 'Maintenance > Contract',
          rest_api_endpoint: CONTRACTS,
        },
      ])
      const program = types.filter((type) => !type.is_plugin_model)
      expect(own[0]?.id).toBeGreaterThan(Math.max(...program.map(({ id }) => Number(id))))
    })

    it('in the OpenAPI document and in OPTIONS', async () => {
      const { json } = await api.ask('GET', '/api/schema/?format=json')
      expect(json.paths?.[CONTRACTS]?.post?.operationId).toBe('plugins_maintenance_contracts_create')
      expect(json.components?.schemas?.MaintenanceContract).toBeDefined()
      const options = await api.ask('OPTIONS', CONTRACTS)
      expect(options.json.actions?.POST?.number).toMatchObject({ required: true, max_length: 50 })
    })

    it.each(['/', '/api/plugins/', '/api/plugins/maintenance/', CONTRACTS])('on the page %s', async (path) => {
      const page = await api.ask('GET', path, { headers: { accept: 'text/html' } })
      expect(page.status).toBe(200)
      expect(page.text).toMatch(/maintenance/i)
    })
  })
})
