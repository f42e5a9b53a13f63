import { expect } from 'vitest'
import { createdId } from '../../support/requests.ts'
import {
  addBeside,
  addFromMenu,
  button,
  checkIn,
  content,
  field,
  findPort,
  goTo,
  jumpTo,
  linkTo,
  openForm,
  saveBeside,
  send,
} from './steps.ts'
import { type Story, tellStories } from './story.ts'

const SWITCH_TYPE = (model: string) => `manufacturer: Tidewater
model: ${model}
slug: ${model.toLowerCase().replaceAll(' ', '-')}
u_height: 1
interfaces:
${Array.from({ length: 48 }, (_, port) => `  - name: ge-0/0/${port}\n    type: 1000base-t`).join('\n')}
`

const STORIES: readonly Story[] = [
  {
    name: 'circuit',
    title: 'Add a circuit, say where its two ends are, and connect it to a router',
    task: 21,
    clicks: { desktop: 7, phone: 10 },
    netbox: 7,
    run: async (person) => {
      const { page, api, size, fill, pick, click } = person
      await openForm(person, 'Circuits', 'Circuits')
      await pick(field(person, 'Provider'), 'Island Telecom')
      await fill(field(person, 'Circuit ID'), `FIBRE-${size}`)
      await pick(field(person, 'Type'), 'Radio link')
      await send(person, 'Create circuit')
      await click(linkTo(person, '+ Add circuit termination'))
      await pick(field(person, 'Termination'), 'Harbour House')
      await click(button(person, 'Create and add another'))
      await page.getByText('was created').waitFor()
      await pick(field(person, 'Termination'), 'Gull Rock')
      await send(person, 'Create circuit termination')
      await click(linkTo(person, 'Connect A side'))
      await findPort(person, `${size}-router ge-0/0/1`)
      await send(person, 'Create cable')
      expect(await content(person)).toMatch(
        new RegExp(`A side[\\s\\S]*Harbour House[\\s\\S]*${size}-router[\\s\\S]*Z side[\\s\\S]*Gull Rock`),
      )
      const { json } = await api.ask('GET', `/api/dcim/interfaces/?device=${size}-router&name=ge-0/0/1`)
      expect(json.results?.[0]?.cable).not.toBeNull()
    },
  },
  {
    name: 'chassis',
    title: 'Combine two switches into a virtual chassis',
    task: 23,
    clicks: { desktop: 5, phone: 8 },
    netbox: 6,
    run: async (person) => {
      const { api, size, fill, pick, click } = person
      await openForm(person, 'Devices', 'Virtual Chassis')
      await fill(field(person, 'Name'), `stack-${size}`)
      await send(person, 'Create virtual chassis')
      for (const [index, name] of [`${size}-stack-1`, `${size}-stack-2`].entries()) {
        await click(linkTo(person, '+ Add member'))
        await pick(field(person, 'Device'), name)
        await fill(field(person, 'VC position'), String(index + 1))
        await person.press('Enter')
        await person.page.waitForURL(/\/virtual-chassis\/\d+\/(\?|$)/)
      }
      await click(button(person, 'Make master'))
      await person.page.getByText('Master', { exact: true }).first().waitFor()
      const { json } = await api.ask('GET', `/api/dcim/virtual-chassis/?name=stack-${size}`)
      expect(json.results?.[0]).toMatchObject({ member_count: 2, master: { name: `${size}-stack-1` } })
    },
  },
  {
    name: 'module',
    title: 'Install a module in a free bay of a switch',
    task: 24,
    clicks: { desktop: 4, phone: 4 },
    netbox: 4,
    run: async (person) => {
      const { api, size, pick } = person
      await jumpTo(person, `${size}-router`, `${size}-router`)
      await person.click(linkTo(person, /^Module bays/))
      await person.click(linkTo(person, /^Install module/))
      await pick(field(person, 'Module type'), 'Line card')
      await send(person, 'Create module')
      expect(await content(person)).toContain('Line card')
      const { json } = await api.ask('GET', `/api/dcim/modules/?device=${size}-router`)
      expect(json.count).toBe(1)
    },
  },
  {
    name: 'power',
    title: 'Add a power panel with a feed, and see how much of it a PDU uses',
    task: 22,
    clicks: { desktop: 7, phone: 10 },
    netbox: 10,
    run: async (person) => {
      const { size, fill, pick, click } = person
      await openForm(person, 'Power', 'Power Panels')
      await pick(field(person, 'Site'), 'Harbour House')
      await fill(field(person, 'Name'), `Panel ${size}`)
      await send(person, 'Create power panel')
      await click(linkTo(person, /^(\+ )?Add power feed/))
      await fill(field(person, 'Name'), `Feed ${size}`)
      await send(person, 'Create power feed')
      await click(linkTo(person, `Feed ${size}`))
      await click(linkTo(person, 'Connect'))
      await findPort(person, `${size}-pdu`)
      await send(person, 'Create cable')
      expect(await content(person)).toMatch(/300 of 1,440/)
    },
  },
  {
    name: 'machine',
    title: 'Add a virtual machine with three interfaces and an address',
    task: 14,
    clicks: { desktop: 8, phone: 11 },
    netbox: 10,
    run: async (person) => {
      const { api, size, fill, pick, click } = person
      const address = size === 'phone' ? '10.20.9.2/24' : '10.20.9.1/24'
      await openForm(person, 'Virtualization', 'Virtual Machines')
      await fill(field(person, 'Name'), `vm-${size}`)
      await pick(field(person, 'Cluster'), 'Harbour')
      await fill(field(person, 'VCPUs'), '4')
      await fill(field(person, 'Memory (MB)'), '8192')
      await send(person, 'Create virtual machine')
      expect(await content(person)).toMatch(/Resources[\s\S]*4[\s\S]*8/)
      await addFromMenu(person, 'Add', 'Interface')
      await fill(field(person, 'Name'), 'eth[0-2]')
      await send(person, 'Create interface')
      await click(linkTo(person, /^Interfaces/))
      await click(linkTo(person, 'Add IP address: eth0'))
      await fill(field(person, 'Address'), address)
      await send(person, 'Create IP address')
      expect(await content(person)).toContain(address)
      const { json } = await api.ask('GET', `/api/ipam/ip-addresses/?virtual_machine=vm-${size}`)
      expect(json.count).toBe(1)
    },
  },
  {
    name: 'vlans',
    title: 'Add a VLAN group and 30 VLANs to it',
    task: 13,
    clicks: { desktop: 6, phone: 9 },
    run: async (person) => {
      const { api, size, fill, click } = person
      await openForm(person, 'IPAM', 'VLAN Groups')
      await fill(field(person, 'Name'), `Floors ${size}`)
      await fill(field(person, 'VLAN IDs'), '100-199,300')
      await send(person, 'Create VLAN group')
      await addFromMenu(person, 'Add', 'VLAN')
      await click(linkTo(person, 'Several'))
      await fill(field(person, 'VLAN ID'), '100-129')
      await fill(field(person, 'Name'), 'floor-{vid}')
      await send(person, 'Create')
      expect(await content(person)).toMatch(/30 VLANs/i)
      const { json } = await api.ask('GET', `/api/ipam/vlans/?group=floors-${size}&limit=1`)
      expect(json.count).toBe(30)
    },
  },
  {
    name: 'type',
    title: 'Import a device type with 48 ports from YAML',
    task: 15,
    clicks: { desktop: 3, phone: 5 },
    netbox: 3,
    run: async (person) => {
      const { page, size, fill, click } = person
      await goTo(person, 'Devices', 'Device Types')
      await click(linkTo(person, 'Import'))
      await fill(page.getByLabel('Text', { exact: true }), SWITCH_TYPE(`Flood ${size}`))
      await click(button(person, 'Import now'))
      await page.waitForURL(/modified_by_request/)
      expect(await content(person)).toContain(`Flood ${size}`)
    },
  },
  {
    name: 'components',
    title: 'Add twelve console ports to a device at once',
    clicks: { desktop: 4, phone: 4 },
    netbox: 4,
    run: async (person) => {
      const { api, size, fill } = person
      await jumpTo(person, `${size}-router`, `${size}-router`)
      await addFromMenu(person, 'Add', 'Console port')
      await fill(field(person, 'Name'), 'con[1-12]')
      await send(person, 'Create console port')
      expect(await content(person)).toMatch(/12 .*created/i)
      const { json } = await api.ask('GET', `/api/dcim/console-ports/?device=${size}-router`)
      expect(json.count).toBe(12)
    },
  },
  {
    name: 'many-devices',
    title: 'Add the same interfaces to several devices',
    task: 28,
    clicks: { desktop: 4, phone: 6 },
    netbox: 4,
    run: async (person) => {
      const { page, api, size, fill, pick, click } = person
      await goTo(person, 'Devices', 'Devices')
      await fill(page.getByPlaceholder('Search in this list…'), `${size}-stack`)
      await person.press('Enter')
      await page.waitForURL(/q=/)
      await click(page.getByRole('checkbox', { name: 'Select all on this page' }))
      await click(button(person, 'Add components'))
      await fill(field(person, 'Name'), 'sfp[1-4]')
      await pick(field(person, 'Type'), 'SFP+ (10GE)')
      await click(button(person, 'Add interfaces to 2 devices'))
      await page.waitForURL(/created_by_request/)
      const { json } = await api.ask('GET', `/api/dcim/interfaces/?device=${size}-stack-2&name__isw=sfp`)
      expect(json.count).toBe(4)
    },
  },
  {
    name: 'hook',
    title: 'Call a URL whenever a site is changed',
    task: 17,
    clicks: { desktop: 7, phone: 12 },
    netbox: 8,
    run: async (person) => {
      const { api, size, fill, pick } = person
      await openForm(person, 'Operations', 'Webhooks')
      await fill(field(person, 'Name'), `hook-${size}`)
      await fill(field(person, 'URL'), 'https://hooks.example/sites')
      await send(person, 'Create webhook')
      await openForm(person, 'Operations', 'Event Rules')
      await fill(field(person, 'Name'), `rule-${size}`)
      await checkIn(person, 'object_types', 'Site')
      await person.click(person.page.getByRole('checkbox', { name: 'Object updated' }))
      await pick(field(person, 'Action'), `hook-${size}`)
      await send(person, 'Create event rule')
      const { json } = await api.ask('GET', `/api/extras/event-rules/?name=rule-${size}`)
      expect(json.results?.[0]).toMatchObject({ object_types: ['dcim.site'], event_types: ['object_updated'] })
    },
  },
  {
    name: 'new-type',
    title: 'Add a device to a free unit; its type, maker and role are new',
    task: 2,
    clicks: { desktop: 9, phone: 9 },
    netbox: 14,
    run: async (person) => {
      const { page, api, size, fill, click } = person
      await jumpTo(person, 'HH-1', /^HH-1/)
      await click(linkTo(person, size === 'phone' ? /^Add a device at U4\b/ : /^Add a device at U3\b/))
      await page.waitForURL(/\/dcim\/devices\/add\//)
      await fill(field(person, 'Name'), `box-${size}`)
      const type = await addBeside(person, page, 'device_type')
      await saveBeside(person, await addBeside(person, type, 'manufacturer'), { name: `Maker ${size}` })
      await saveBeside(person, type, { model: `Box ${size}` })
      await saveBeside(person, await addBeside(person, page, 'role'), { name: `Role ${size}` })
      expect(await page.locator('[data-field="device_type"] select option:checked').textContent()).toContain(
        `Box ${size}`,
      )
      await send(person, 'Create device')
      const { json } = await api.ask('GET', `/api/dcim/devices/?name=box-${size}`)
      expect(json.results?.[0]).toMatchObject({
        device_type: { manufacturer: { name: `Maker ${size}` } },
        role: { name: `Role ${size}` },
        position: size === 'phone' ? 4 : 3,
      })
    },
  },
]

tellStories('building a network', STORIES, async (api) => {
  const place = { site: 1, role: 2 }
  const type = await createdId(api, 'dcim/device-types', { manufacturer: 1, model: 'Pilot 4', slug: 'pilot-4' })
  await createdId(api, 'dcim/interface-templates', { device_type: type, name: 'ge-0/0/1', type: '1000base-t' })
  await createdId(api, 'dcim/module-bay-templates', { device_type: type, name: 'Slot 1' })
  await createdId(api, 'dcim/module-types', { manufacturer: 1, model: 'Line card' })
  const pdu = await createdId(api, 'dcim/device-types', { manufacturer: 1, model: 'PDU', slug: 'pdu' })
  await createdId(api, 'dcim/power-port-templates', { device_type: pdu, name: 'In', allocated_draw: 300 })
  for (const size of ['desktop', 'phone']) {
    await createdId(api, 'dcim/devices', { ...place, name: `${size}-router`, device_type: type })
    for (const member of [1, 2])
      await createdId(api, 'dcim/devices', { ...place, name: `${size}-stack-${member}`, device_type: type })
    await createdId(api, 'dcim/devices', { ...place, name: `${size}-pdu`, device_type: pdu })
  }
})
