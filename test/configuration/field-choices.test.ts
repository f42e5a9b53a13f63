import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeApi } from '../../src/app/app.ts'
import { readSettings } from '../../src/config/settings.ts'
import { type Api, startApi } from '../support/api.ts'

const FIELD_CHOICES = JSON.stringify({
  'dcim.Site.status+': [['under-siege', 'Under siege', 'red']],
  'dcim.Device.status': [
    ['on', 'On', 'green'],
    ['off', 'Off'],
  ],
})

let api: Api
beforeAll(async () => {
  api = await startApi({ FIELD_CHOICES })
})
afterAll(() => api.close())

const get = async (path: string) => (await api.ask('GET', path)).json
const post = async (path: string, body: unknown) => await api.ask('POST', `/api/${path}/`, { body })

it('configured choices are accepted in bodies, shown with their labels, and usable in filters', async () => {
  const made = await post('dcim/sites', { name: 's', slug: 's', status: 'under-siege' })
  expect([made.status, made.json.status]).toEqual([201, { value: 'under-siege', label: 'Under siege' }])
  expect((await get('/api/dcim/sites/?status=under-siege')).count).toBe(1)
  expect((await get('/api/dcim/sites/?status=active')).count).toBe(0)
})

it('replaced choices are refused, and the first choice is the default', async () => {
  const site = (await post('dcim/sites', { name: 'd', slug: 'd' })).json.id
  const manufacturer = (await post('dcim/manufacturers', { name: 'm', slug: 'm' })).json.id
  const type = { manufacturer, model: 't', slug: 't' }
  const device_type = (await post('dcim/device-types', type)).json.id
  const role = (await post('dcim/device-roles', { name: 'r', slug: 'r' })).json.id
  const device = { name: 'd', site, device_type, role }
  expect((await post('dcim/devices', { ...device, status: 'active' })).status).toBe(400)
  expect((await post('dcim/devices', device)).json.status).toEqual({ value: 'on', label: 'On' })
  expect((await get('/api/dcim/interfaces/?device_status=off')).count).toBe(0)
  expect((await api.ask('GET', '/api/dcim/interfaces/?device_status=active')).status).toBe(400)
})

it('OPTIONS and the OpenAPI document list configured choices', async () => {
  const { json } = await api.ask('OPTIONS', '/api/dcim/sites/')
  expect(json.actions?.POST?.status?.choices).toContainEqual({
    value: 'under-siege',
    display_name: 'Under siege',
  })
  const texts = await describeApi(readSettings({ FIELD_CHOICES }))
  const document = JSON.parse(String(texts.json().body))
  const { status } = document.components.schemas.WritableDeviceWithConfigContextRequest.properties
  expect(status.enum).toEqual(['on', 'off'])
})
