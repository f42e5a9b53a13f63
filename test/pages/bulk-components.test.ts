import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadDemo } from '../../src/transfer/demo/load-demo.ts'
import { type Api, type ApiAnswer, startApi } from '../support/api.ts'
import { readForm } from './read-form.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
  await loadDemo(api.service)
})
afterAll(() => api.close())

function post(path: string, fields: readonly (readonly [string, string])[], token?: string): Promise<ApiAnswer> {
  const body = new FormData()
  for (const [name, value] of fields) body.append(name, value)
  return api.ask('POST', path, {
    body,
    headers: { accept: 'text/html' },
    ...(token !== undefined && { token }),
  })
}

const read = async (path: string) => (await api.ask('GET', path)).json
const devices = [
  ['id', '1'],
  ['id', '2'],
] as const

describe('components of several devices', () => {
  const part = ['part', 'dcim.interface'] as const

  it('are offered by kind, then as a form without fields that differ between devices', async () => {
    const kinds = await post('/dcim/devices/components/', devices)
    expect(kinds.text).toMatch(/name="part" value="dcim.interface"[^>]* aria-pressed="true">Interfaces</)
    expect(kinds.text).toMatch(/name="part" value="dcim.consoleport"[^>]* aria-pressed="false">/)
    expect(kinds.text).toContain('Add interfaces to 2 devices')
    const other = await post('/dcim/devices/components/', [...devices, ['name', 'p1'], ['part', 'dcim.consoleport']])
    expect(other.text).toContain('Add console ports to 2 devices')
    expect(readForm(other.text).values.get('name')).toEqual(['p1'])
    const { text } = await post('/dcim/devices/components/', [...devices, part])
    expect(text).toContain('name="type"')
    expect(text).not.toContain('name="device"')
    expect(text).not.toContain('name="lag"')
  })

  it.each(['edit', 'rename', 'disconnect'])('lead back to their device from the form to %s them', async (action) => {
    const id = String((await read('/api/dcim/interfaces/?device_id=1&limit=1')).results?.[0]?.id)
    const back = '/dcim/devices/1/interfaces/'
    const { text } = await post(`/dcim/interfaces/${action}/`, [
      ['id', id],
      ['return_url', back],
    ])
    const links = [...text.matchAll(/<li><a href="([^"]*)"/g)].map(([, href]) => href)
    expect(links).toEqual(expect.arrayContaining(['/dcim/devices/', '/dcim/devices/1/', back]))
  })

  it('are created by a pattern for each device, and shown', async () => {
    const answer = await post('/dcim/devices/components/', [
      ...devices,
      part,
      ['name', 'aux[0-2]'],
      ['type', 'virtual'],
      ['do', 'apply'],
    ])
    expect(answer.status, answer.text).toBe(303)
    const made = await read('/api/dcim/interfaces/?name__isw=aux')
    const names = made.results?.map(({ device, name }) => `${device?.id} ${name}`).sort()
    expect(names).toEqual(['1 aux0', '1 aux1', '1 aux2', '2 aux0', '2 aux1', '2 aux2'])
    const list = await api.ask('GET', answer.headers.get('location') ?? '', {
      headers: { accept: 'text/html' },
    })
    expect(list.text).toContain('aux2')
  })

  it('are all refused if one is, and the form keeps its values', async () => {
    const before = (await read('/api/dcim/interfaces/?limit=1')).count
    const { status, text } = await post('/dcim/devices/components/', [
      ...devices,
      part,
      ['name', 'aux[1-4]'],
      ['type', 'virtual'],
      ['do', 'apply'],
    ])
    expect(status).toBe(400)
    expect(text).toContain('value="aux[1-4]"')
    expect((await read('/api/dcim/interfaces/?limit=1')).count).toBe(before)
  })

  it('are offered for types and virtual machines too, but not for objects without components', async () => {
    const types = await post('/dcim/device-types/components/', [['id', '1']])
    expect(types.text).toContain('dcim.interfacetemplate')
    expect((await post('/dcim/sites/components/', [['id', '1']])).status).toBe(404)
  })
})

describe('cables of several interfaces', () => {
  const connected = async () => await read('/api/dcim/interfaces/?cabled=true&limit=2')

  it('are shown, then deleted', async () => {
    const { results } = await connected()
    const ids = (results ?? []).map(({ id }) => ['id', String(id)] as const)
    const cables = new Set((results ?? []).map(({ cable }) => Number(cable?.id)))
    const shown = await post('/dcim/interfaces/disconnect/', ids)
    expect(shown.text).toContain(`Delete ${cables.size} cable`)
    const count = Number((await read('/api/dcim/cables/?limit=1')).count)
    const done = await post('/dcim/interfaces/disconnect/', [...ids, ['do', 'apply']])
    expect(done.status, done.text).toBe(303)
    expect((await read('/api/dcim/cables/?limit=1')).count).toBe(count - cables.size)
    const [[, first]] = ids as [readonly [string, string]]
    expect((await read(`/api/dcim/interfaces/${first}/`)).cable).toBeNull()
    const again = await post('/dcim/interfaces/disconnect/', ids)
    expect(again.text).toContain('None of these is connected by a cable.')
  })

  it('are kept if the user may not delete cables', async () => {
    const user = await api.ask('POST', '/api/users/users/', {
      body: { username: 'pat', password: 'Long-enough-2026!' },
    })
    const users = [user.json.id]
    await api.ask('POST', '/api/users/permissions/', {
      body: {
        ...{ name: 'work', object_types: ['dcim.interface'], actions: ['view', 'change'], users },
      },
    })
    const { json } = await api.ask('POST', '/api/users/tokens/', {
      body: { user: users[0], version: 1 },
    })
    const [first] = (await connected()).results ?? []
    const fields = [
      ['id', String(first?.id)],
      ['do', 'apply'],
    ] as const
    const token = String(json.token ?? json.key)
    expect((await post('/dcim/interfaces/disconnect/', fields, token)).status).toBe(403)
  })
})

describe('many objects', () => {
  const message = ['changelog_message', 'moved'] as const

  it('are changed by a background job if the form says so', async () => {
    const sites = Array.from({ length: 120 }, (_, index) => ({
      name: `B${index}`,
      slug: `b${index}`,
    }))
    const { json } = await api.ask('POST', '/api/dcim/sites/', { body: sites })
    const ids = json.map(({ id }) => ['id', String(id)] as const)
    expect((await post('/dcim/sites/edit/', ids)).text).toContain('As a background job')
    expect((await post('/dcim/sites/edit/', ids.slice(0, 3))).text).not.toContain('As a background')
    const answer = await post('/dcim/sites/edit/', [
      ...ids,
      ...([['facility', 'F9'], message, ['background', 'true'], ['do', 'apply']] as const),
    ])
    expect(answer.status, answer.text).toBe(303)
    const job = answer.headers.get('location') ?? ''
    expect(job).toMatch(/^\/core\/jobs\/\d+\/$/)
    expect((await read('/api/dcim/sites/?facility=F9&limit=1')).count).toBe(0)
    await api.background.runUntilIdle()
    expect((await read(`/api${job}`)).status?.value).toBe('completed')
    expect((await read('/api/dcim/sites/?facility=F9&limit=1')).count).toBe(120)
    await post('/dcim/sites/delete/', [...ids, ['background', 'true'], ['do', 'apply']])
    await api.background.runUntilIdle()
    expect((await read('/api/dcim/sites/?facility=F9&limit=1')).count).toBe(0)
  })
})

describe('data sources', () => {
  it('are synchronised together', async () => {
    const { json } = await api.ask('POST', '/api/core/data-sources/', {
      body: ['one', 'two'].map((name) => ({
        ...{ name, type: 'local', source_url: '/nowhere', enabled: true },
      })),
    })
    const ids = json.map(({ id }) => ['id', String(id)] as const)
    const list = await api.ask('GET', '/core/data-sources/', { headers: { accept: 'text/html' } })
    expect(list.text).toContain('formaction="/core/data-sources/sync/"')
    const answer = await post('/core/data-sources/sync/', ids)
    expect(answer.status, answer.text).toBe(303)
    const jobs = await read('/api/core/jobs/?object_type=core.datasource')
    expect(jobs.count).toBe(2)
  })
})
