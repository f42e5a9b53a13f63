import { describe, expect, it } from 'vitest'
import { Browser } from '../sessions/browser.ts'
import { answering, receiverOfTest } from '../support/receiver.ts'
import { createdId, readPage } from '../support/requests.ts'
import { type Scene, sceneOfTest } from '../webhooks/scene.ts'

const HEADING = /<h1><bdi>(.*?)<\/bdi>/
const TITLE = /<title>(.*?)<\/title>/

/** Pages of the deliveries of a scene, the oldest first. */
async function deliveryPages({ api, deliveries }: Scene): Promise<readonly string[]> {
  const list = await deliveries()
  return await Promise.all(list.map(({ id }) => readPage(api, `/extras/webhook-deliveries/${id}/`)))
}

describe('the page of a webhook delivery', () => {
  it('is named after the event and the object', async () => {
    const scene = await sceneOfTest()
    const receiver = await receiverOfTest()
    await scene.addWebhook({ payload_url: receiver.url }, { object_types: ['dcim.site', 'tenancy.tenant'] })
    const tenant = await createdId(scene.api, 'tenancy/tenants', { name: 'Dunder-Mifflin, Inc.', slug: 'dm' })
    await scene.api.ask('PATCH', `/api/tenancy/tenants/${tenant}/`, { body: { description: 'paper' } })
    const site = await scene.addSite('ams1')
    await scene.api.ask('DELETE', `/api/dcim/sites/${site}/`)
    await scene.settle()
    const names = [
      'Tenant Dunder-Mifflin, Inc. created',
      'Tenant Dunder-Mifflin, Inc. updated',
      `Site #${site} created`,
      `Site #${site} deleted`,
    ]
    const pages = await deliveryPages(scene)
    expect(pages.map((page) => HEADING.exec(page)?.[1])).toEqual(names)
    expect(pages.map((page) => TITLE.exec(page)?.[1]?.split(' · ')[0])).toEqual(names)
    for (const page of pages) expect(page).not.toMatch(/object_(created|updated|deleted)/)
    const list = await readPage(scene.api, '/extras/webhook-deliveries/')
    expect(list).toContain('Object updated')
    expect(list).not.toMatch(/<th[^>]*>(<a[^>]*>)?Display/)
  })

  it('shows the attempts once, in a table, and offers to cancel only what has another attempt to come', async () => {
    const scene = await sceneOfTest()
    const receiver = await receiverOfTest(answering((count) => (count === 1 ? 500 : 200)))
    await scene.addWebhook({ payload_url: receiver.url })
    await scene.addSite('ams1')
    const shown = async () => {
      await scene.settle()
      const [page = ''] = await deliveryPages(scene)
      return {
        attempts: [...page.matchAll(/<td>(\d{3})<\/td>/g)].map(([, status]) => status),
        actions: [...page.matchAll(/deliveries\/\d+\/(cancel|replay)\/"/g)].map(([, action]) => action),
        requests: page.split('body_size').length - 1,
      }
    }
    expect(await shown()).toEqual({ attempts: ['500'], actions: ['replay', 'cancel'], requests: 1 })
    scene.clock.advance(60_000)
    // The request is that of the last attempt.
    expect(await shown()).toEqual({ attempts: ['500', '200'], actions: ['replay'], requests: 1 })
  })
})

describe('a test of a webhook', () => {
  const browserOf = async ({ api }: Scene, name = 'admin', password = 'admin'): Promise<Browser> => {
    const browser = new Browser(api.url)
    await browser.logIn(name, password)
    return browser
  }
  const send = (browser: Browser, id: number) =>
    browser.visit(`/extras/webhooks/${id}/test/`, {
      form: { csrfmiddlewaretoken: browser.cookies.get('csrftoken') ?? '' },
    })
  const webhookOf = async ({ api }: Scene): Promise<number> =>
    Number((await api.ask('GET', '/api/extras/webhooks/')).json.results?.[0]?.id)

  it.each([
    { title: 'a success', status: 200, says: ['<dd>200</dd>', 'answer 1'] },
    { title: 'a refusal', status: 500, says: ['<dd>500</dd>', 'answer 1'] },
  ])('sends the newest object of the rule at once, and shows $title', async ({ status, says }) => {
    const scene = await sceneOfTest()
    const receiver = await receiverOfTest(answering(() => status))
    await scene.addWebhook({ payload_url: receiver.url, secret: 'shh' }, { object_types: ['dcim.site'] })
    await scene.settle()
    await scene.addSite('ams1')
    const before = (await scene.deliveries()).length
    const root = await browserOf(scene)
    const id = await webhookOf(scene)
    expect((await root.visit(`/extras/webhooks/${id}/`)).text).toContain('Send test')
    const page = await send(root, id)
    expect(page.status).toBe(200)
    for (const text of says) expect(page.text).toContain(text)
    const [request] = receiver.received
    expect(JSON.parse(request?.body ?? '')).toMatchObject({
      event: 'updated',
      object_type: 'dcim.site',
      data: { name: 'ams1' },
    })
    expect(request?.headers['x-hook-signature']).toMatch(/^[0-9a-f]{128}$/)
    // It is no delivery.
    expect((await scene.deliveries()).length).toBe(before)
  })

  it('shows why a receiver cannot be reached', async () => {
    const scene = await sceneOfTest()
    await scene.addWebhook({ payload_url: 'http://127.0.0.1:9/' })
    const page = await send(await browserOf(scene), await webhookOf(scene))
    expect(page.status).toBe(200)
    expect(page.text).toContain('ECONNREFUSED')
  })

  it('is for people who may change the webhook, and shows only what they may view', async () => {
    const scene = await sceneOfTest()
    const receiver = await receiverOfTest()
    await scene.addWebhook({ payload_url: receiver.url }, { object_types: ['dcim.site'] })
    await scene.addSite('hidden')
    const user = await createdId(scene.api, 'users/users', { username: 'eve', password: 'Corr3ct-Horse-Battery' })
    const permit = (name: string, actions: readonly string[]) =>
      createdId(scene.api, 'users/permissions', { name, users: [user], object_types: ['extras.webhook'], actions })
    await permit('see', ['view'])
    const id = await webhookOf(scene)
    const eve = await browserOf(scene, 'eve', 'Corr3ct-Horse-Battery')
    expect((await eve.visit(`/extras/webhooks/${id}/`)).text).not.toContain('Send test')
    expect((await send(eve, id)).status).toBe(403)
    expect(receiver.received).toEqual([])
    await permit('do', ['change'])
    expect((await send(eve, id)).status).toBe(200)
    expect(receiver.received.map(({ body }) => body).join()).not.toContain('hidden')
  })
})
