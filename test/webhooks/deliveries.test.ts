import { describe, expect, it } from 'vitest'
import { signatureOf } from '../../src/automation/webhooks/webhook-request.ts'
import { sql } from '../../src/sql/fragment.ts'
import { updateTable } from '../../src/sql/table.ts'
import { answering, type ReceivedRequest, receiverOfTest } from '../support/receiver.ts'
import { sceneOfTest } from './scene.ts'

const idOf = ({ headers }: ReceivedRequest) => headers['x-hook-delivery']
const eventOf = ({ body }: ReceivedRequest) => JSON.parse(body)
const DAY = 86_400_000

describe('webhook deliveries', () => {
  it('a change is sent with its data, snapshots, signature and delivery id', async () => {
    const scene = await sceneOfTest()
    const receiver = await receiverOfTest()
    await scene.addWebhook({ payload_url: `${receiver.url}/hook`, secret: 'pw-1' })
    const id = await scene.addSite('ams1')
    const change = await scene.api.ask('PATCH', `/api/dcim/sites/${id}/`, {
      body: { description: 'é' },
    })
    await scene.settle()

    const [created, updated] = receiver.received
    if (!created || !updated) throw new Error('Two requests are expected')
    expect(eventOf(created)).toMatchObject({
      event: 'created',
      snapshots: { prechange: null, postchange: { name: 'ams1', description: '' } },
    })
    expect(eventOf(updated)).toMatchObject({
      event: 'updated',
      object_type: 'dcim.site',
      username: 'admin',
      data: { id, url: `/api/dcim/sites/${id}/`, description: 'é', device_count: 0 },
      request: {
        id: change.headers.get('x-request-id'),
        method: 'PATCH',
        path: `/api/dcim/sites/${id}/`,
        user: 'admin',
      },
      snapshots: { prechange: { description: '' }, postchange: { description: 'é' } },
    })
    expect(updated.headers).toMatchObject({
      'content-type': 'application/json',
      'x-hook-signature': signatureOf('pw-1', Buffer.from(updated.body)),
    })
    expect(await scene.deliveries()).toMatchObject(
      [
        { status: 'delivered', delivery_id: idOf(created), event_type: 'object_created' },
        {
          status: { value: 'delivered' },
          delivery_id: idOf(updated),
          attempt_count: 1,
          response_status: 200,
          object_type: 'dcim.site',
          object_id: id,
          attempts: [{ status: 200, response: 'answer 2', error: null, request: { method: 'POST' } }],
        },
      ].map((delivery) => ({ ...delivery, status: { value: 'delivered' } })),
    )
  })

  it.each([
    ['4.6', { username: 'admin', request_id: expect.any(String) }, 'b'],
    ['4.7', { request: { user: 'admin', GET: { omit: 'tags' } } }, { value: 'b', label: 'Blue' }],
  ])(
    'a body has the version of the service, %s, whatever the version of the request',
    async (version, keys, colour) => {
      const scene = await sceneOfTest({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', API_VERSION: version })
      const receiver = await receiverOfTest()
      await scene.addWebhook({ payload_url: receiver.url })
      const choice_set = await scene.api.make('extras/custom-field-choice-sets', {
        ...{ name: 'Colours', extra_choices: [['b', 'Blue']] },
      })
      const field = { name: 'colour', type: 'select', object_types: ['dcim.site'], choice_set }
      await scene.api.make('extras/custom-fields', field)
      for (const asked of ['4.6', '4.7']) {
        const headers = { Accept: `application/json; version=${asked}` }
        const body = { name: asked, slug: asked.replace('.', '-'), custom_fields: { colour: 'b' } }
        await scene.api.ask('POST', '/api/dcim/sites/?omit=tags', { headers, body })
      }
      await scene.settle()
      const bodies = receiver.received.map(eventOf)
      const expected = { ...keys, data: { custom_fields: { colour } } }
      expect(bodies).toMatchObject([expected, expected])
      expect(bodies.map((body) => 'username' in body)).toEqual([version === '4.6', version === '4.6'])
    },
  )

  it('a failed delivery is repeated with the same id, and shows its attempts without secrets', async () => {
    const scene = await sceneOfTest()
    const receiver = await receiverOfTest(answering((count) => (count < 3 ? 503 : 204)))
    await scene.addWebhook({
      payload_url: `${receiver.url}/hook?token=pw-1`,
      secret: 'pw-2',
      additional_headers: 'Authorization: Bearer pw-3',
    })
    await scene.addSite('ams1')
    await scene.settle()
    expect(receiver.received).toHaveLength(1)
    scene.clock.advance(9_000)
    await scene.settle()
    expect(receiver.received).toHaveLength(1)
    scene.clock.advance(4_000)
    await scene.settle()
    expect(receiver.received).toHaveLength(2)
    scene.clock.advance(26_000)
    await scene.settle()

    expect(new Set(receiver.received.map(idOf)).size).toBe(1)
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1)
    const [delivery] = await scene.deliveries()
    expect(delivery).toMatchObject({
      status: { value: 'delivered' },
      attempt_count: 3,
      attempts: [{ status: 503, response: 'answer 1' }, { status: 503 }, { status: 204 }],
    })
    expect(JSON.stringify(delivery)).not.toContain('pw-')
  })

  it('events of an object arrive in order, and a failing one does not delay other objects', async () => {
    const scene = await sceneOfTest()
    let isAway = true
    const receiver = await receiverOfTest(
      answering((_count, request) => (isAway && eventOf(request).data.name === 'ams1' ? 500 : 200)),
    )
    await scene.addWebhook({ payload_url: receiver.url })
    const id = await scene.addSite('ams1')
    for (const description of ['a', 'b']) {
      await scene.api.ask('PATCH', `/api/dcim/sites/${id}/`, { body: { description } })
    }
    await scene.addSite('ams2')
    await scene.settle()
    const seen = () => receiver.received.map(eventOf).map(({ data }) => [data.name, data.description])
    expect(seen()).toEqual([
      ['ams1', ''],
      ['ams2', ''],
    ])
    isAway = false
    scene.clock.advance(13_000)
    await scene.settle()
    expect(seen().slice(2)).toEqual([
      ['ams1', ''],
      ['ams1', 'a'],
      ['ams1', 'b'],
    ])
  })

  it('a delivery is dead after its last attempt, superusers are notified, and a replay sends it again', async () => {
    const scene = await sceneOfTest()
    let status = 404
    const receiver = await receiverOfTest(answering(() => status))
    const webhook = await scene.addWebhook({ payload_url: receiver.url })
    await scene.addSite('ams1')
    for (let day = 0; day < 20; day++) {
      await scene.settle()
      scene.clock.advance(DAY)
    }
    const [dead] = await scene.deliveries()
    expect(dead).toMatchObject({ status: { value: 'dead' }, next_attempt: null, attempt_count: 15 })
    const { json } = await scene.api.ask('GET', '/api/extras/notifications/')
    expect(json.results).toMatchObject([
      { object_type: 'extras.webhook', object_id: webhook, event_type: 'job_failed', read: null },
    ])

    status = 200
    const replayed = await scene.api.ask('POST', `/api/extras/webhook-deliveries/${dead?.id}/replay/`)
    expect(replayed.json).toMatchObject({ status: { value: 'queued' }, attempt_count: 15 })
    await scene.settle()
    expect(new Set(receiver.received.map(idOf)).size).toBe(1)
    expect(await scene.deliveries()).toMatchObject([{ status: { value: 'delivered' }, attempt_count: 16 }])
  })

  it('a canceled delivery is not attempted again, and the next of its object follows', async () => {
    const scene = await sceneOfTest()
    const receiver = await receiverOfTest(answering((count) => (count === 1 ? 500 : 200)))
    await scene.addWebhook({ payload_url: receiver.url })
    const id = await scene.addSite('ams1')
    await scene.settle()
    await scene.api.ask('PATCH', `/api/dcim/sites/${id}/`, { body: { description: 'a' } })
    await scene.settle()
    const [first] = await scene.deliveries()
    await scene.api.ask('POST', `/api/extras/webhook-deliveries/${first?.id}/cancel/`)
    await scene.settle()
    expect(receiver.received.map(eventOf).map(({ event }) => event)).toEqual(['created', 'updated'])
    scene.clock.advance(DAY)
    await scene.settle()
    expect(receiver.received).toHaveLength(2)
    expect(await scene.deliveries()).toMatchObject([
      { status: { value: 'canceled' }, next_attempt: null },
      { status: { value: 'delivered' } },
    ])
  })

  it('a request that is refused sends nothing, and one with several changes of an object sends one event', async () => {
    const scene = await sceneOfTest()
    const receiver = await receiverOfTest()
    await scene.addWebhook({ payload_url: receiver.url })
    const [one, two] = [await scene.addSite('ams1'), await scene.addSite('ams2')]
    const refused = await scene.api.ask('PATCH', '/api/dcim/sites/', {
      body: [
        { id: one, description: 'x' },
        { id: two, status: 'nope' },
      ],
    })
    expect(refused.status).toBe(400)
    await scene.api.ask('PATCH', '/api/dcim/sites/', {
      body: [
        { id: one, description: 'y' },
        { id: one, description: 'z' },
      ],
    })
    await scene.api.ask('DELETE', `/api/dcim/sites/${two}/`)
    await scene.settle()
    expect(receiver.received.map(eventOf).map(({ event, data }) => [event, data.name])).toEqual([
      ['created', 'ams1'],
      ['created', 'ams2'],
      ['updated', 'ams1'],
      ['deleted', 'ams2'],
    ])
  })

  it('rules act in the order of their names, on the events and under the conditions that they name', async () => {
    const scene = await sceneOfTest()
    const receiver = await receiverOfTest()
    const hook = (path: string) => ({ payload_url: `${receiver.url}/${path}` })
    await scene.addWebhook(hook('second'), { name: 'b', event_types: ['object_created'] })
    await scene.addWebhook(hook('first'), { name: 'a' })
    await scene.addWebhook(hook('changed'), {
      name: 'c',
      conditions: { attr: 'status', op: 'changed' },
      event_types: ['object_updated'],
    })
    await scene.addWebhook(hook('disabled'), { name: 'd', enabled: false })
    // The API does not offer this field, as in NetBox 4.6.8.
    await scene.api.service.database.execute(sql`
      ${updateTable('extras.eventrule')} set action_data = '{"more": 1, "name": "no"}' where name = 'a'`)
    const id = await scene.addSite('ams1')
    await scene.api.ask('PATCH', `/api/dcim/sites/${id}/`, { body: { description: 'x' } })
    await scene.api.ask('PATCH', `/api/dcim/sites/${id}/`, { body: { status: 'planned' } })
    await scene.settle()
    const deliveries = await scene.deliveries()
    const paths = new Map(receiver.received.map((request) => [idOf(request), request.path]))
    expect(deliveries.map(({ delivery_id }) => paths.get(String(delivery_id)))).toEqual([
      '/first',
      '/second',
      '/first',
      '/first',
      '/changed',
    ])
    const [first] = receiver.received.filter(({ path }) => path === '/first').map(eventOf)
    expect(first.data).toMatchObject({ more: 1, name: 'ams1' })
  })

  it('URL, headers and body are templates, and a line break in a value does not start a header', async () => {
    const scene = await sceneOfTest()
    const receiver = await receiverOfTest()
    await scene.addWebhook({
      payload_url: `${receiver.url}/{{ data.slug }}?e={{ event }}`,
      http_method: 'PUT',
      http_content_type: 'text/plain',
      additional_headers: 'X-Comments: {{ data.comments }}\nno header\nX-User: {{ username }}',
      body_template: '{{ object_type }} {{ data.name|upper }}{{ nothing }}',
    })
    await scene.api.ask('POST', '/api/dcim/sites/', {
      body: { name: 'ams1', slug: 'ams1', comments: 'one\r\nX-Evil: 1' },
    })
    await scene.settle()
    const [request] = receiver.received
    expect(request).toMatchObject({
      method: 'PUT',
      path: '/ams1?e=created',
      body: 'dcim.site AMS1',
      headers: { 'content-type': 'text/plain', 'x-comments': 'one X-Evil: 1', 'x-user': 'admin' },
    })
    expect(request?.headers).not.toHaveProperty('x-evil')
  })

  it('only users with the permission see deliveries, and can replay them', async () => {
    const scene = await sceneOfTest()
    const receiver = await receiverOfTest()
    await scene.addWebhook({ payload_url: receiver.url })
    await scene.addSite('ams1')
    await scene.settle()
    const [delivery] = await scene.deliveries()
    const user = await scene.api.ask('POST', '/api/users/users/', {
      body: { username: 'bob', password: 'Correct-horse-7-battery' },
    })
    const token = await scene.api.ask('POST', '/api/users/tokens/', {
      body: { user: user.json.id },
    })
    const path = `/api/extras/webhook-deliveries/${delivery?.id}/`
    const asBob = { token: String(token.json.key) }
    expect((await scene.api.ask('GET', path, asBob)).status).toBe(403)
    expect((await scene.api.ask('POST', `${path}replay/`, asBob)).status).toBe(403)
    await scene.api.ask('POST', '/api/users/permissions/', {
      body: {
        name: 'view',
        object_types: ['extras.webhookdelivery'],
        actions: ['view'],
        users: [user.json.id],
      },
    })
    expect((await scene.api.ask('GET', path, asBob)).status).toBe(200)
    expect((await scene.api.ask('POST', `${path}replay/`, asBob)).status).toBe(403)
  })
})
