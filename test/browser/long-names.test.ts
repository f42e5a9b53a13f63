import { beforeAll, expect, it } from 'vitest'
import type { Api } from '../support/api.ts'
import { setUp } from './browser.ts'
import { inBrowser } from './chromium.ts'

const LONG = 'W'.repeat(200)
const HEBREW = `שלום ${'ארוך'.repeat(12)} 🧪𠜎`

/** Widths of the window and of its content. */
const SIZES = '({ width: document.documentElement.clientWidth, content: document.documentElement.scrollWidth })'

/** Objects with names of one long word; addresses of pages that show them. */
async function addObjects({ ask, background }: Api): Promise<readonly string[]> {
  const add = async (path: string, body: object): Promise<number> => {
    const { status, text, json } = await ask('POST', `/api/${path}/`, { body })
    expect(status, text).toBe(201)
    return Number(json.id)
  }
  const name = LONG.slice(0, 100)
  const site = await add('dcim/sites', {
    ...{ name, slug: 'w', description: LONG, facility: LONG.slice(0, 50) },
    ...{ physical_address: LONG, comments: `# ${LONG}\n\n${LONG}\n\n\`${LONG}\`` },
  })
  const tag = await add('extras/tags', { name, slug: 'w', color: '00ff00', description: LONG })
  const region = await add('dcim/regions', { name: HEBREW, slug: 'h', tags: [tag] })
  await ask('PATCH', `/api/dcim/sites/${site}/`, { body: { tags: [tag], region } })
  const location = await add('dcim/locations', { name, slug: 'l', site, tags: [tag] })
  await add('extras/journal-entries', {
    ...{ assigned_object_type: 'dcim.site', assigned_object_id: site, comments: LONG },
  })
  await add('extras/bookmarks', { object_type: 'dcim.site', object_id: site, user: 1 })
  const webhook = await add('extras/webhooks', { name, payload_url: `https://192.0.2.1/${LONG}` })
  await add('extras/event-rules', {
    ...{ name, object_types: ['dcim.site'], event_types: ['object_updated'], action_type: 'webhook' },
    ...{ action_object_type: 'extras.webhook', action_object_id: webhook },
  })
  await ask('PATCH', `/api/dcim/sites/${site}/`, { body: { facility: '' } })
  await background.runUntilIdle()
  const { json } = await ask('GET', '/api/extras/webhook-deliveries/')
  const context = await add('extras/config-contexts', { name, data: { hosts: [{ name: LONG }, { name: LONG }] } })
  const filter = await add('extras/saved-filters', {
    ...{ name, slug: 'w', object_types: ['dcim.site'], parameters: { name: [LONG, LONG] } },
  })
  return [
    `/extras/webhook-deliveries/${json.results?.[0]?.id}/`,
    `/extras/config-contexts/${context}/`,
    `/extras/saved-filters/${filter}/`,
    '/',
    '/search/?q=WWWW',
    '/dcim/sites/?q=WWW',
    `/dcim/sites/${site}/`,
    `/dcim/sites/${site}/edit/`,
    `/dcim/sites/${site}/delete/`,
    `/dcim/sites/${site}/journal/`,
    `/dcim/sites/${site}/changelog/`,
    `/dcim/sites/${site}/locations/`,
    `/dcim/locations/${location}/`,
    `/dcim/locations/add/?site=${site}`,
    `/dcim/regions/${region}/`,
    `/dcim/sites/?name=${name}&region_id=${region}`,
    `/dcim/sites/filters/?name=${name}`,
    '/dcim/sites/columns/',
    `/extras/tags/${tag}/`,
    '/core/changelog/',
    '/user/bookmarks/',
    '/user/profile/',
  ]
}

inBrowser('long names', () => {
  const { openSignedIn, api } = setUp()
  let paths: readonly string[]
  beforeAll(async () => {
    paths = await addObjects(api())
  })

  it('make no page wider than a phone', async () => {
    const page = await openSignedIn({ viewport: { width: 390, height: 844 } })
    const wide: string[] = []
    for (const path of paths) {
      await page.goto(path)
      const { width, content } = await page.evaluate<{ width: number; content: number }>(SIZES)
      if (content > width) wide.push(`${path}: ${content} px`)
    }
    expect(wide).toEqual([])
  })

  it('and many tabs leave the tab of the page in view on a phone', async () => {
    const page = await openSignedIn({ viewport: { width: 390, height: 844 } })
    await page.goto('/dcim/devices/1/changelog/')
    const box = await page.locator('.tabs [aria-current]').boundingBox()
    expect(Number(box?.x)).toBeGreaterThan(0)
    expect(Number(box?.x) + Number(box?.width)).toBeLessThanOrEqual(390)
  })
})
