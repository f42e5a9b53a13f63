import { expect, it } from 'vitest'
import { startApi } from '../support/api.ts'
import { openMemory } from '../support/database.ts'

it('a rendered configuration is compared with a text that the user enters', async () => {
  const api = await startApi(openMemory)
  const make = async (path: string, body: unknown): Promise<number> => {
    const { json, status, text } = await api.ask('POST', `/api/${path}/`, { body })
    expect(status, text).toBe(201)
    return Number(json.id)
  }
  try {
    const site = await make('dcim/sites', { name: 'Akron', slug: 'akron' })
    const manufacturer = await make('dcim/manufacturers', { name: 'Maker', slug: 'maker' })
    const type = await make('dcim/device-types', { manufacturer, model: 'Box', slug: 'box' })
    const role = await make('dcim/device-roles', { name: 'Core', slug: 'core' })
    const template = await make('extras/config-templates', {
      name: 'base',
      template_code: 'hostname {{ device.name }}\nntp 192.0.2.1',
    })
    const device = await make('dcim/devices', {
      ...{ name: 'sw1', site, device_type: type, role, config_template: template },
    })
    const compared = async (other: string): Promise<string> => {
      const { status, text } = await api.ask('POST', `/dcim/devices/${device}/render-config/`, {
        body: new URLSearchParams({ other }).toString(),
        headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
      })
      expect(status, text).toBe(200)
      return text
    }
    const different = await compared('hostname sw1\nntp 192.0.2.9 <b>')
    expect(different).toContain('<del>- ntp 192.0.2.9 &lt;b&gt;</del>')
    expect(different).toContain('<ins>+ ntp 192.0.2.1</ins>')
    expect(await compared('hostname sw1\nntp 192.0.2.1')).toContain('Both texts are the same.')
  } finally {
    await api.close()
  }
})
