import { afterAll, beforeAll, expect, it } from 'vitest'
import { volatile } from '../../src/sql/fragment.ts'
import { type Api, startApi } from '../support/api.ts'

let api: Api
let device = 0
let other = 0
/** Before the name, the template and the context were changed. */
let before = ''

const make = async (path: string, body: unknown): Promise<number> => {
  const { json, status, text } = await api.ask('POST', `/api/${path}/`, { body })
  expect(status, text).toBe(201)
  return Number(json.id)
}

/** The time of the database, between two writes. */
async function now(): Promise<string> {
  const pause = () => api.service.database.queryArrays(volatile`select pg_sleep(0.002)`)
  await pause()
  const [[time] = []] = await api.service.database.queryArrays(volatile`select clock_timestamp()`)
  await pause()
  return String(time)
}

beforeAll(async () => {
  api = await startApi()
  const site = await make('dcim/sites', { name: 'Akron', slug: 'akron' })
  const manufacturer = await make('dcim/manufacturers', { name: 'Maker', slug: 'maker' })
  const type = await make('dcim/device-types', { manufacturer, model: 'Box', slug: 'box' })
  const role = await make('dcim/device-roles', { name: 'Core', slug: 'core' })
  const template = await make('extras/config-templates', {
    name: 'base',
    template_code: 'host {{ device.name }}\nntp {{ ntp }}',
  })
  other = await make('extras/config-templates', {
    name: 'short',
    template_code: 'hostname {{ device.name }}',
  })
  const context = await make('extras/config-contexts', {
    name: 'times',
    data: { ntp: '192.0.2.9' },
  })
  device = await make('dcim/devices', {
    ...{ name: 'sw0', site, device_type: type, role, config_template: template },
  })
  before = await now()
  await api.ask('PATCH', `/api/dcim/devices/${device}/`, { body: { name: 'sw1' } })
  await api.ask('PATCH', `/api/extras/config-templates/${template}/`, {
    body: { template_code: 'hostname {{ device.name }}\nntp {{ ntp }}' },
  })
  await api.ask('PATCH', `/api/extras/config-contexts/${context}/`, {
    body: { data: { ntp: '192.0.2.1' } },
  })
})
afterAll(() => api.close())

/** The removed and added lines on a page. */
const linesOf = (page: string): readonly string[] =>
  [...page.matchAll(/<(?:del|ins)>(.*?)<\/(?:del|ins)>/g)].map(([, line = '']) => line)

async function visit(path: string, body?: string): Promise<string> {
  const { status, text } = await api.ask(body === undefined ? 'GET' : 'POST', `/dcim/devices/${device}/${path}`, {
    headers: {
      accept: 'text/html',
      ...(body !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    ...(body !== undefined && { body }),
  })
  expect(status, text).toBe(200)
  return text
}

it('a rendered configuration is compared with a text that the user enters', async () => {
  const compared = (entered: string) => visit('render-config/', new URLSearchParams({ other: entered }).toString())
  expect(linesOf(await compared('hostname sw1\nntp 192.0.2.9 <b>'))).toEqual([
    '- ntp 192.0.2.9 &lt;b&gt;',
    '+ ntp 192.0.2.1',
  ])
  expect(await compared('hostname sw1\nntp 192.0.2.1')).toContain('Both texts are the same.')
})

it('a rendered configuration is compared with an earlier one: the object, the template and the context of that time', async () => {
  const page = await visit(`render-config/?compared_time=${before}`)
  expect(linesOf(page)).toEqual(['- host sw0', '- ntp 192.0.2.9', '+ hostname sw1', '+ ntp 192.0.2.1'])
  expect(page).toContain(`as of ${before}`)
})

it('a rendered configuration is compared with that of another template', async () => {
  const page = await visit(`render-config/?compared_template=${other}`)
  expect(linesOf(page)).toEqual(['+ ntp 192.0.2.1'])
  expect(linesOf(await visit(`render-config/?compared_template=${other}&compared_time=${before}`))).toEqual([
    '- hostname sw0',
    '+ hostname sw1',
    '+ ntp 192.0.2.1',
  ])
})

it('a configuration is rendered with the template that the address names, on the page and as a file', async () => {
  const own = await visit('render-config/')
  expect(own).toContain('ntp 192.0.2.1')
  const page = await visit(`render-config/?config_template_id=${other}`)
  expect(page).not.toContain('<code>hostname sw1\nntp')
  const file = `config_template_id=${other}&amp;download=1`
  expect(page).toContain(file)
  expect((await visit(`render-config/?${file.replace('&amp;', '&')}`)).trim()).toBe('hostname sw1')
  expect(await visit('render-config/?config_template_id=999')).toContain('Config template with ID 999 not found.')
})

it('config contexts are compared with earlier ones', async () => {
  expect(linesOf(await visit(`config-context/?compared_time=${before}`))).toEqual([
    '-   &quot;ntp&quot;: &quot;192.0.2.9&quot;',
    '+   &quot;ntp&quot;: &quot;192.0.2.1&quot;',
  ])
})

it.each(['render-config', 'config-context'])(
  'an invalid time to compare with is reported at its field: %s',
  async (tab) => {
    for (const [time, sentence] of [
      ['2001-01-01T00:00', 'The history begins at'],
      ['2999-01-01T00:00', 'This time is in the future'],
      ['yesterday', 'Enter a time as'],
    ]) {
      const page = await visit(`${tab}/?compared_time=${time}`)
      expect(page).toMatch(new RegExp(`<p class="error" id="compared-compared_time-error">${sentence}`))
    }
  },
)
