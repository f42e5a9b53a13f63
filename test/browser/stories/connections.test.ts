import { expect } from 'vitest'
import type { Api } from '../../support/api.ts'
import { button, content, find, findPort, goTo, jumpTo, linkTo, openList, send } from './steps.ts'
import { type Story, tellStories } from './story.ts'

/** Numbers of the free ports of the panels for each size, whose digits are in no other number. */
const PORTS = { desktop: 8, phone: 9 } as const

const STORIES: readonly Story[] = [
  {
    name: 'panels',
    title: 'Connect two patch panels port by port',
    clicks: { desktop: 7, phone: 7 },
    run: async (person) => {
      const { page, api, size } = person
      await find(person, `${size}-panel-a`, `${size}-panel-a`)
      await person.click(linkTo(person, 'Panel'))
      await person.click(linkTo(person, 'Connect ports'))
      await person.choose(page.getByLabel('Device', { exact: true }).nth(1), `${size}-panel-b · Harbour House`)
      await person.click(button(person, 'Preview the pairs'))
      await page.getByRole('heading', { name: '12 pairs' }).waitFor()
      await person.click(button(person, 'Connect the checked pairs'))
      await page.waitForURL(/\/dcim\/cables\/\?/)
      const { json } = await api.ask('GET', `/api/dcim/cables/?device=${size}-panel-b`)
      expect(json.count).toBe(12)
      await page.goBack()
      await page.goBack()
      await page.goBack()
      await page.reload()
      expect(await content(person)).toContain('0 of 12 ports free')
    },
  },
  {
    name: 'trace',
    title: 'Trace the path from a server to its switch',
    task: 10,
    clicks: { desktop: 3, phone: 3 },
    run: async (person) => {
      const { page } = person
      await find(person, 'web-01', 'web-01')
      await person.click(linkTo(person, /^Interfaces/))
      await person.click(linkTo(person, 'Trace eth0'))
      await page.getByRole('region', { name: 'Drawing' }).waitFor()
      expect(await content(person)).toMatch(/Connected end to end[\s\S]*Links3/)
      expect(await page.locator('.drawing').textContent()).toMatch(/web-01.*row-panel.*far-panel.*access-01/s)
    },
  },
  {
    name: 'cable',
    title: 'Cable a server to a patch panel, and trace the path through the panels',
    task: 10,
    clicks: { desktop: 5, phone: 5 },
    netbox: 8,
    run: async (person) => {
      const { page, size } = person
      const name = `${size}-server`
      await jumpTo(person, name, new RegExp(`^${name}`))
      await person.click(linkTo(person, /^Interfaces/))
      await person.click(linkTo(person, 'Connect eth0'))
      await findPort(person, `row-panel Port ${PORTS[size]}`)
      await send(person, 'Create cable')
      await person.click(linkTo(person, 'Trace eth0'))
      await page.getByRole('region', { name: 'Drawing' }).waitFor()
      const path = new RegExp(`${name}.*row-panel.*far-panel.*${size}-access`, 's')
      expect(await page.locator('.drawing').textContent()).toMatch(path)
    },
  },
  {
    name: 'map',
    title: 'See the sites on a map, and open one of them',
    task: 38,
    clicks: { desktop: 3, phone: 5 },
    run: async (person) => {
      const { page } = person
      await goTo(person, 'Organization', 'Sites')
      await person.click(linkTo(person, 'Map'))
      await page.getByRole('heading', { level: 1, name: /^Map/ }).waitFor()
      await person.click(
        page
          .getByRole('main')
          .getByRole('link', { name: /Harbour House/ })
          .filter({ visible: true })
          .first(),
      )
      await page.getByRole('heading', { level: 1, name: 'Harbour House' }).waitFor()
    },
  },
  {
    name: 'topology',
    title: 'Read the topology of a site',
    task: 11,
    clicks: { desktop: 5, phone: 6 },
    run: async (person) => {
      const { page } = person
      await openList(person, 'Organization', 'Sites')
      await person.click(linkTo(person, 'Harbour House'))
      await person.click(linkTo(person, 'Topology'))
      const map = page.getByRole('region', { name: 'Topology' })
      await map.waitFor()
      await person.click(map.getByRole('button', { name: 'Zoom in' }))
      expect(await map.locator('.node').count()).toBeGreaterThan(5)
      expect(await content(person)).toMatch(/hh-router[\s\S]*cable/)
    },
  },
]

tellStories('connections', STORIES, async (api) => {
  const make = makerOf(api)
  const { json: roles } = await api.ask('GET', '/api/dcim/device-roles/?limit=1&name=Router')
  const [panelType = 0] = await make('device-types', {
    manufacturer: 1,
    model: 'Panel 12',
    slug: 'panel-12',
  })
  await make(
    'rear-port-templates',
    ports((port) => ({ device_type: panelType, name: `Rear ${port}`, type: '8p8c' })),
  )
  const { json: rears } = await api.ask('GET', `/api/dcim/rear-port-templates/?device_type_id=${panelType}&limit=12`)
  await make(
    'front-port-templates',
    (rears.results ?? []).map(({ id }, index) => ({
      device_type: panelType,
      name: `Port ${index + 1}`,
      type: '8p8c',
      rear_ports: [{ position: 1, rear_port: id, rear_port_position: 1 }],
    })),
  )
  const [type = 0] = await make('device-types', {
    manufacturer: 1,
    model: 'Small server',
    slug: 'small',
  })
  await make('interface-templates', { device_type: type, name: 'eth0', type: '1000base-t' })
  const role = roles.results?.[0]?.id
  const device = async (name: string, deviceType: number): Promise<number> => {
    const [id = 0] = await make('devices', { name, role, device_type: deviceType, site: 1 })
    return id
  }
  for (const size of ['desktop', 'phone']) {
    for (const side of ['a', 'b']) await device(`${size}-panel-${side}`, panelType)
  }
  const [server, near, far, access] = [
    await device('web-01', type),
    await device('row-panel', panelType),
    await device('far-panel', panelType),
    await device('access-01', type),
  ]
  const portOf = async (model: string, id: number, number = 1): Promise<number> => {
    const { json } = await api.ask('GET', `/api/dcim/${model}/?device_id=${id}&limit=1&offset=${number - 1}`)
    return Number(json.results?.[0]?.id)
  }
  const end = (model: string, id: number) => [{ object_type: `dcim.${model}`, object_id: id }]
  await make('cables', [
    {
      a_terminations: end('interface', await portOf('interfaces', server)),
      b_terminations: end('frontport', await portOf('front-ports', near)),
      ...{ label: 'W1', color: '2196f3', length: 3, length_unit: 'm' },
    },
    {
      a_terminations: end('rearport', await portOf('rear-ports', near)),
      b_terminations: end('rearport', await portOf('rear-ports', far)),
      ...{ label: 'T1', color: 'ffeb3b', length: 40, length_unit: 'm' },
    },
    {
      a_terminations: end('frontport', await portOf('front-ports', far)),
      b_terminations: end('interface', await portOf('interfaces', access)),
      ...{ label: 'A1', color: '2196f3', length: 2, length_unit: 'm' },
    },
  ])
  for (const [size, port] of Object.entries(PORTS)) {
    await device(`${size}-server`, type)
    const behind = await device(`${size}-access`, type)
    await make('cables', [
      {
        a_terminations: end('rearport', await portOf('rear-ports', near, port)),
        b_terminations: end('rearport', await portOf('rear-ports', far, port)),
      },
      {
        a_terminations: end('frontport', await portOf('front-ports', far, port)),
        b_terminations: end('interface', await portOf('interfaces', behind)),
      },
    ])
  }
})

const ports = <T>(of: (port: number) => T): readonly T[] => Array.from({ length: 12 }, (_, index) => of(index + 1))

/** Creates objects and returns their ids. */
const makerOf =
  (api: Api) =>
  async (path: string, body: unknown): Promise<readonly number[]> => {
    const { json, status, text } = await api.ask('POST', `/api/dcim/${path}/`, { body })
    expect(status, text).toBe(201)
    return [json].flat().map(({ id }) => Number(id))
  }
