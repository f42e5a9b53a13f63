import { describe, expect, it } from 'vitest'
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
