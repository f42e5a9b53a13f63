import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { toolsOf } from '../agents/client.ts'
import { Browser, hiddenFields } from '../sessions/browser.ts'
import { type Api, apiOfTest, type Document } from '../support/api.ts'
import { diodeClient, type Entity } from '../support/diode.ts'
import { receiverOfTest } from '../support/receiver.ts'

const ownPath = (path: string) => `/api/plugins/observed/${path}`

const device = (number: number, values: object = {}): Entity => ({
  device: {
    ...{ name: `sw${number}`, serial: `ABC${number}`, status: 'active', site: { name: `Site ${number % 2}` } },
    ...{ role: { name: 'Switch' }, device_type: { model: 'M1', manufacturer: { name: 'Maker' } }, ...values },
  },
})

const port = (number: number, values: object = {}): Entity => ({
  interface: {
    ...{ device: { name: `sw${number}`, site: { name: `Site ${number % 2}` } }, name: 'eth0', type: '1000base-t' },
    ...{ enabled: true, ...values },
  },
})

async function results({ ask }: Api, path: string): Promise<readonly Document[]> {
  const { status, text, json } = await ask('GET', path)
  expect(status, text).toBe(200)
  return json.results ?? []
}

const driftOf = (api: Api, query = '') => results(api, ownPath(`drift/?limit=0${query}`))

/** An inventory that is the observed network. */
async function accepted(entities: readonly Entity[], settings: Record<string, string> = {}) {
  const api = await apiOfTest({ PACKS: 'observed', ...settings })
  const client = await diodeClient(api)
  await client.send(entities)
  const { status, text } = await api.ask('POST', ownPath('drift/accept/?status=open'))
  expect(status, text).toBe(200)
  expect(await driftOf(api)).toEqual([])
  return { api, client }
}

describe('the acceptance of all that filters find', () => {
  it('is one request, which one undo takes back', async () => {
    const entities = Array.from({ length: 60 }, (_, index) => device(index))
    const { api, client } = await accepted(entities)
    await client.send(entities.map((_, index) => device(index, { description: 'Seen', comments: 'x' })))
    const answer = await api.ask('POST', ownPath('drift/accept/?field=description'))
    expect(answer.json).toEqual({ accepted: 60 })
    expect((await driftOf(api)).length).toBe(60)
    const undone = await api.ask('POST', `/api/core/requests/${answer.headers.get('x-request-id')}/undo/`)
    expect(undone.status, undone.text).toBe(200)
    expect((await driftOf(api)).length).toBe(120)
    expect((await api.ask('POST', ownPath('drift/accept/?field=nothing'))).status).toBe(400)
    for (const query of ['nonsense=1', 'kind=', 'site_id=', 'status=open&kind=']) {
      expect((await api.ask('POST', ownPath(`drift/accept/?${query}`))).status, query).toBe(400)
      const ignored = await api.ask('POST', ownPath(`drift/ignore/?${query}`), { body: { reason: 'x' } })
      expect(ignored.status, query).toBe(400)
    }
    expect((await api.ask('POST', ownPath('drift/accept/'))).status).toBe(400)
    const ignored = await api.ask('POST', ownPath('drift/ignore/?site_id=1'), { body: { reason: 'x' } })
    expect(ignored.json).toEqual({ ignored: 60 })
  })

  it('happens once, however many ask for it at the same time', async () => {
    const { api, client } = await accepted([device(1)])
    await client.send([device(1, { description: 'Seen' })])
    const ids = (await driftOf(api)).map(({ id }) => id)
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => api.ask('POST', ownPath('drift/accept/'), { body: { ids } })),
    )
    // Those that come later may find that the differences do not exist any more.
    expect(answers.every(({ status }) => status === 200 || status === 400)).toBe(true)
    expect(answers.reduce((sum, { json }) => sum + Number(json.accepted ?? 0), 0)).toBe(1)
  })

  it('can be tried', async () => {
    const { api, client } = await accepted([device(1)])
    await client.send([device(1, { description: 'Seen' }), device(2)])
    const { json } = await api.ask('POST', ownPath('drift/accept/?dry_run=true&kind=dcim.device'))
    expect(json).toMatchObject({ status: 200, result: { accepted: 2 }, counts: { changed: 1 } })
    expect((await driftOf(api, '&kind=dcim.device')).length).toBe(2)
  })
})

describe('the acceptance into a branch', () => {
  it('changes the inventory, and closes the differences, when the branch is merged', async () => {
    const { api, client } = await accepted([device(1), port(1)])
    const address = { address: '192.0.2.1/24', assigned_object_interface: { ...port(3).interface } }
    const entities = [device(3, { primary_ip4: address }), port(3), { ip_address: address }]
    await client.send([...entities, device(1, { description: 'Seen' })])
    const branch = await api.ask('POST', '/api/core/branches/', { body: { name: 'Drift' } })
    const headers = { 'X-NetBox-Branch': String(branch.json.schema_id) }
    const before = await driftOf(api)
    const answer = await api.ask('POST', ownPath('drift/accept/?status=open'), { headers })
    expect(answer.status, answer.text).toBe(200)
    expect(await driftOf(api)).toEqual(before)
    expect((await results(api, '/api/dcim/devices/')).length).toBe(1)
    // The differences are still there, but the branch has the objects.
    const repeated = await api.ask('POST', ownPath('drift/accept/?status=open'), { headers })
    expect(repeated.status, repeated.text).toBe(200)
    const inBranch = await api.ask('GET', '/api/dcim/devices/', { headers })
    expect(
      inBranch.json.results?.map(({ name, description, primary_ip4 }) => [name, description, primary_ip4?.address]),
    ).toEqual([
      ['sw1', 'Seen', undefined],
      ['sw3', '', '192.0.2.1/24'],
    ])
    const merged = await api.ask('POST', `/api/core/branches/${branch.json.id}/merge/`, { body: {} })
    expect(merged.status, merged.text).toBe(200)
    expect(await driftOf(api)).toEqual([])
    await client.send(entities)
    expect(await driftOf(api)).toEqual([])
  })
})

describe('an agent', () => {
  it('reads differences and plans their acceptance, which a person merges', async () => {
    const { api, client } = await accepted([device(1)], { MCP_ENABLED: 'true' })
    await client.send([device(1, { description: 'Seen' }), device(2)])
    const { json } = await api.ask('POST', '/api/users/tokens/', { body: { user: 1, version: 1, plans_only: true } })
    const call = toolsOf(api, String(json.key))
    const list = await call('read', { type: 'observed.driftitem', filters: { kind: 'dcim.device' } })
    expect(list.text).toContain('description')
    const ids = (await driftOf(api, '&kind=dcim.device')).map(({ id }) => id)
    const plan = await call('plan', {
      title: 'What was observed',
      writes: [{ method: 'POST', path: 'plugins/observed/drift/accept/', body: { ids } }],
    })
    expect(plan.document, plan.text).toMatchObject({ counts: { created: 2, changed: 1 } })
    expect((await results(api, '/api/dcim/devices/')).length).toBe(1)
    const merged = await api.ask('POST', `/api/core/branches/${plan.document.branch?.id}/merge/`, { body: {} })
    expect(merged.status, merged.text).toBe(200)
    expect(await driftOf(api)).toEqual([])
    const refused = await call('plan', {
      title: 'Ignore',
      writes: [{ method: 'POST', path: 'plugins/observed/drift/ignore/', body: { ids, reason: 'x' } }],
    })
    expect(refused.isError).toBe(true)
  })
})

describe('rules', () => {
  it('are limited to the members of a dynamic group, as they are now', async () => {
    const { api, client } = await accepted([device(1), device(2)])
    const [first] = await results(api, '/api/dcim/devices/?name=sw1')
    const group = await api.make('extras/dynamic-groups', {
      ...{ name: 'Labs', slug: 'labs', object_type: 'dcim.device', parameters: { status: 'staged' } },
    })
    await api.make('plugins/observed/rules', {
      name: 'Labs',
      group,
      action: 'ignore',
      reason: 'A lab',
      object_type: 'dcim.device',
    })
    await client.send([device(1, { description: 'x' }), device(2, { description: 'x' })])
    const statuses = async () =>
      (await driftOf(api, '&field=description')).map(({ observation, status, reason }) => [
        observation?.label,
        status,
        reason,
      ])
    expect(await statuses()).toEqual([
      ['sw1', 'open', ''],
      ['sw2', 'open', ''],
    ])
    await api.ask('PATCH', `/api/dcim/devices/${first?.id}/`, { body: { status: 'staged' } })
    expect(await statuses()).toEqual([
      ['sw1', 'ignored', 'A lab'],
      ['sw2', 'open', ''],
    ])
    await api.ask('PATCH', `/api/extras/dynamic-groups/${group}/`, { body: { parameters: { status: 'active' } } })
    await reopen(api)
    expect(await statuses()).toEqual([
      ['sw1', 'open', ''],
      ['sw2', 'ignored', 'A lab'],
    ])
  })

  it('and decisions of people end at their time, without a request of the source', async () => {
    const { api, client } = await accepted([device(1)])
    await client.send([device(1, { description: 'x', comments: 'y' })])
    const until = new Date(Date.now() + 1_500).toISOString()
    await api.make('plugins/observed/rules', { name: 'R', field: 'comments', action: 'ignore', reason: 'r', until })
    await api.ask('POST', ownPath('drift/ignore/?field=description'), { body: { reason: 'Later', until } })
    const open = async () => (await driftOf(api, '&status=open')).map(({ field }) => field)
    expect(await open()).toEqual([])
    await reopen(api)
    expect(await open()).toEqual([])
    await pause(1_600)
    await reopen(api)
    expect(await open()).toEqual(['comments', 'description'])
  })

  it('an ignored difference that has gone is open when it comes back', async () => {
    const { api, client } = await accepted([device(1)])
    await client.send([device(1, { description: 'x' })])
    await api.ask('POST', ownPath('drift/ignore/?field=description'), { body: { reason: 'Never mind' } })
    await client.send([device(1, { description: '' })])
    expect(await driftOf(api)).toEqual([])
    await client.send([device(1, { description: 'x' })])
    expect(await driftOf(api)).toMatchObject([{ field: 'description', status: 'open', reason: '' }])
  })
})

/** Runs the job that ends decisions. */
async function reopen(api: Api): Promise<void> {
  const { default: pack } = await import('../../packs/observed/pack.ts')
  const [job] = pack.jobs
  await job?.run({ service: api.service } as Parameters<typeof job.run>[0]) // it uses nothing else
}

describe('differences', () => {
  it('have numbers by source, type, site and change', async () => {
    const { api, client } = await accepted([device(1), device(2), port(2)])
    await client.send([device(1, { comments: 'x' }), device(2, { comments: 'x' }), port(2, { mtu: 9000 })])
    const { json } = await api.ask('GET', ownPath('drift/counts/'))
    expect(json).toMatchObject({ count: 3, counts: expect.anything() })
    expect(json.counts?.map(({ kind, site, change, count }) => [kind, site, change, count])).toEqual([
      ['dcim.device', 'Site 0', 'changed', 1],
      ['dcim.device', 'Site 1', 'changed', 1],
      ['dcim.interface', 'Site 0', 'changed', 1],
    ])
    // The components of a device move with it.
    const [other] = await results(api, '/api/dcim/sites/?name=Site%201')
    const [second] = await results(api, '/api/dcim/devices/?name=sw2')
    await api.ask('PATCH', `/api/dcim/devices/${second?.id}/`, { body: { site: other?.id } })
    const moved = await driftOf(api, `&site_id=${other?.id}`)
    expect(moved.map(({ kind, field }) => [kind, field])).toEqual([
      ['dcim.device', 'comments'],
      ['dcim.device', 'comments'],
      ['dcim.device', 'site'],
      ['dcim.interface', 'mtu'],
    ])
  })

  it('start event rules when they come and when they go', async () => {
    const receiver = await receiverOfTest()
    const { api, client } = await accepted([device(1)], { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' })
    const webhook = await api.make('extras/webhooks', { name: 'w', payload_url: receiver.url })
    await api.make('extras/event-rules', {
      ...{ name: 'Drift', object_types: ['observed.driftitem'], event_types: ['object_created', 'object_deleted'] },
      ...{ action_type: 'webhook', action_object_type: 'extras.webhook', action_object_id: webhook },
    })
    await client.send([device(1, { description: 'x' })])
    await api.ask('POST', ownPath('drift/accept/?status=open'))
    await api.background.runUntilIdle()
    const events = receiver.received.map(({ body }) => JSON.parse(body))
    expect(events.map(({ event, data }) => [event, data.field, data.observed])).toEqual([
      ['created', 'description', 'x'],
      ['deleted', 'description', 'x'],
    ])
  })

  it('are those of any time', async () => {
    const { api, client } = await accepted([device(1)])
    await client.send([device(1, { description: 'x' })])
    await pause(50)
    const then = new Date().toISOString()
    await pause(50)
    await api.ask('POST', ownPath('drift/accept/?status=open'))
    expect(await driftOf(api)).toEqual([])
    expect(await driftOf(api, `&as_of=${then}`)).toMatchObject([{ field: 'description', observed: 'x', current: '' }])
  })
})

describe('pages', () => {
  const visited = async (api: Api) => {
    const browser = new Browser(api.url)
    await browser.logIn('admin', 'admin')
    return browser
  }

  /** Sends the form of decisions on the page. */
  const submit = async (browser: Browser, path: string, fields: Record<string, string>) => {
    return await browser.visit(path, { form: { ...hiddenFields((await browser.visit(path)).text), ...fields } })
  }

  it('of an object show what differs, and take decisions about it', async () => {
    const { api, client } = await accepted([device(1), device(2)])
    await client.send([device(1, { description: 'Seen', comments: 'y', role: { name: '<b>Router' } })])
    const browser = await visited(api)
    const [first] = await results(api, '/api/dcim/devices/?name=sw1')
    const path = `/dcim/devices/${first?.id}/observed/`
    const { text } = await browser.visit(path)
    expect(text).toContain('Observed by test, found by serial, differences: 3')
    expect(text).toContain('&lt;b&gt;Router')
    const ids = (await driftOf(api, '&field=description')).map(({ id }) => String(id))
    const refused = await submit(browser, path, { decision: 'ignore', id: ids[0] ?? '' })
    expect([refused.status, refused.text.includes('Say why')]).toEqual([400, true])
    await submit(browser, path, { decision: 'ignore', id: ids[0] ?? '', reason: 'Never mind' })
    await submit(browser, path, { decision: 'accept' })
    expect(await driftOf(api)).toEqual([])
    expect(await results(api, '/api/dcim/devices/?name=sw1')).toMatchObject([{ comments: 'y' }])
    expect((await browser.visit(`/dcim/sites/1/observed/`)).text).toContain('differences: 0')
  })

  it('decide about all differences of a list', async () => {
    const { api, client } = await accepted([device(1), device(2)])
    await client.send([device(1, { comments: 'y' }), device(2, { comments: 'z' })])
    const browser = await visited(api)
    expect((await browser.visit('/plugins/observed/drift/?site_id=1')).text).toContain(
      '/plugins/observed/decisions/?site_id=1',
    )
    const path = '/plugins/observed/decisions/?site_id=1'
    expect((await browser.visit(path)).text).toMatch(/>Device<[\s\S]*Site 1[\s\S]*Changed/)
    await submit(browser, path, { decision: 'accept' })
    expect((await driftOf(api)).map(({ observed }) => observed)).toEqual(['z'])
    const { text } = await browser.visit('/plugins/observed/decisions/?site_id=1')
    expect(text).toContain('Nothing matches these filters.')
    expect(text).not.toContain('value="accept"')
    // Without filters, all differences could only be refused.
    expect((await browser.visit('/plugins/observed/drift/?ordering=field')).text).not.toContain('observed/decisions/')
    const unfiltered = (await browser.visit('/plugins/observed/decisions/')).text
    expect(unfiltered).toContain('Filter the list of differences')
    expect(unfiltered).not.toContain('value="accept"')
  })

  it('take no decisions about differences that they have not shown', async () => {
    const { api, client } = await accepted([device(1), device(2)])
    await client.send([device(1, { comments: 'y' })])
    const browser = await visited(api)
    const [first] = await results(api, '/api/dcim/devices/?name=sw1')
    const paths = [`/dcim/devices/${first?.id}/observed/`, '/plugins/observed/decisions/?kind=dcim.device']
    const forms = []
    for (const path of paths) {
      const fields = hiddenFields((await browser.visit(path)).text)
      forms.push([path, { ...fields, decision: 'accept' }] as const)
    }
    for (const values of [{ comments: 'z' }, { comments: 'z', description: 'x' }]) {
      await client.send([device(1, values)])
      for (const [path, form] of forms) {
        const { status, text } = await browser.visit(path, { form })
        expect([status, text.includes('Check them again')], path).toEqual([400, true])
      }
    }
    expect((await driftOf(api)).length).toBe(2)
    expect(await submit(browser, paths[1] ?? '', { decision: 'accept' })).toMatchObject({ status: 303 })
    expect(await driftOf(api)).toEqual([])
  })

  it('of a missing object warn, and lead to the list of differences when it has been deleted', async () => {
    const { api } = await accepted([device(1)])
    const { json } = await api.ask('POST', '/api/users/tokens/', { body: { user: 1, observing: true } })
    const [first] = await results(api, '/api/dcim/devices/')
    await api.ask('DELETE', `/api/dcim/devices/${first?.id}/`, { token: String(json.key) })
    const browser = await visited(api)
    const path = `/dcim/devices/${first?.id}/observed/`
    expect((await browser.visit(path)).text).toContain('Accepting will delete 1 object that is missing.')
    const { status, location } = await submit(browser, path, { decision: 'accept' })
    expect([status, location]).toEqual([303, expect.stringMatching(/^\/plugins\/observed\/drift\//)])
    expect((await browser.visit(location ?? '')).status).toBe(200)
    expect(await results(api, '/api/dcim/devices/')).toEqual([])
  })

  it('of a run and of an object show what ambiguous objects may be', async () => {
    const { api, client } = await accepted([device(1)])
    await client.send([{ device: { name: 'sw1', site: { name: 'Elsewhere' } } }])
    const browser = await visited(api)
    const [ambiguous] = await results(api, ownPath('objects/?state=ambiguous'))
    for (const path of [`objects/${ambiguous?.id}/`, `runs/${ambiguous?.run?.id}/`]) {
      const { text } = await browser.visit(`/plugins/observed/${path}`)
      expect(text).toMatch(/sw1 may be one of these, found by name:[\s\S]*dcim\/devices\/1\/"/)
    }
  })
})
