import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, type ApiAnswer, startApi } from '../support/api.ts'
import { createdId, readPage } from '../support/requests.ts'
import { untilTemplatesRender } from '../support/templates.ts'

/** The list that the page's script fills when its menu is opened. */
const PLACEHOLDER = 'data-custom-links'
/** A template that takes about a second. */
const SLOW = '{% for i in range(20) %}{% for j in range(99999) %}{% endfor %}{% endfor %}Done'

describe('custom links', () => {
  let api: Api
  let site: number
  const made = (path: string, body: object) => createdId(api, path, body)
  const link = (name: string, more: object) =>
    made('extras/custom-links', {
      ...{ name, object_types: ['dcim.site'], link_text: name, link_url: '/x' },
      ...more,
    })
  const page = (token?: string) => readPage(api, `/dcim/sites/${site}/`, token)
  let render: () => Promise<ApiAnswer>
  const buttons = (token?: string) => readPage(api, `/dcim/sites/${site}/custom-links/`, token)

  beforeAll(async () => {
    api = await startApi()
    const tenant = await made('tenancy/tenants', { name: 'Acme', slug: 'acme' })
    site = await made('dcim/sites', { name: 'Akron <1>', slug: 'akron', tenant, facility: '' })
    const id = await made('extras/config-templates', { name: 't', template_code: 'x' })
    render = () => api.ask('POST', `/api/extras/config-templates/${id}/render/`, { body: {} })
    await untilTemplatesRender(render)
  })
  afterAll(() => api.close())

  it('a page appears without waiting for the templates, and links to the buttons', async () => {
    expect(await page()).not.toContain(PLACEHOLDER)
    const id = await link('slow', { link_text: SLOW })
    const first = await Promise.race([buttons().then(() => 'the buttons'), page()])
    expect(first).toContain(
      `<summary class="button quiet">Custom links</summary><div class="panel-of-links"><ul data-custom-links="/dcim/sites/${site}/custom-links/"><li><a href="/dcim/sites/${site}/custom-links/">Custom links</a></li></ul>`,
    )
    expect(await readPage(api, `/dcim/sites/${site}/journal/`)).toContain(PLACEHOLDER)
    await api.ask('PATCH', `/api/extras/custom-links/${id}/`, { body: { enabled: false } })
    expect(await page()).not.toContain(PLACEHOLDER)
    // On a busy machine, the slow template exceeds its time limit, and the next ones wait for another interpreter.
    await untilTemplatesRender(render)
  })

  it('the buttons of an object that the user may not view are not shown', async () => {
    const headers = { accept: 'text/html' }
    const { status } = await api.ask('GET', '/dcim/sites/999999/custom-links/', { headers })
    expect(status).toBe(404)
  })

  // templates and options → markup of the page, or none
  it.each([
    [
      'a button',
      { link_text: 'Open {{ object.name }}', link_url: 'https://mon.example/?h={{ object.slug }}' },
      /<a class="custom-link default" href="https:\/\/mon\.example\/\?h=akron">Open Akron &lt;1&gt;<\/a>/,
    ],
    [
      'a new window, a colour, a relation',
      {
        ...{
          link_text: '{{ object.tenant.name }}',
          link_url: 'http://mon.example/',
          new_window: true,
        },
        button_class: 'green',
      },
      /custom-link green" href="http:\/\/mon\.example\/" target="_blank" rel="noopener">Acme</,
    ],
    [
      'a relative address',
      { link_url: '{{ object.get_absolute_url() }}journal/' },
      /href="\/dcim\/sites\/\d+\/journal\/"/,
    ],
    [
      'an address below that of the object',
      { link_url: 'journal/?x=1#y' },
      /href="\/dcim\/sites\/\d+\/journal\/\?x=1#y"/,
    ],
    ['the page of the object', { link_text: '{{ request.path }}' }, />\/dcim\/sites\/\d+\/</],
    ['an e-mail', { link_url: 'mailto:noc@example.com' }, /href="mailto:noc@example\.com"/],
    ['who views it', { link_text: 'for {{ user.username }}' }, />for admin</],
    [
      'an error of the text',
      { name: 'broken', link_text: '{{ 1 / 0 }}' },
      /aria-disabled="true" title="ZeroDivisionError[^"]*">⚠ broken</,
    ],
    [
      'an error of the address',
      { name: 'bad', link_url: '{% if %}' },
      /aria-disabled="true" title="TemplateSyntaxError[^"]*">⚠ bad</,
    ],
    ...['javascript:alert(1)', ' JavaScript:alert(1)', 'java\tscript:alert(1)', 'data:text/html,x', 'ftp://x/'].map(
      (link_url) =>
        [
          JSON.stringify(link_url),
          { name: 'evil', link_url },
          /aria-disabled="true" title="Only http, https, mailto and relative[^"]*">⚠ evil</,
        ] as const,
    ),
    ['no text', { name: 'nothing', link_text: '{{ object.facility }}', link_url: '/nothing-here' }, undefined],
    ['disabled', { name: 'off', enabled: false, link_url: '/is-off' }, undefined],
    ['another type', { name: 'else', object_types: ['dcim.rack'], link_url: '/for-racks' }, undefined],
  ] as const)('%s', async (name, fields, expected) => {
    const id = await link(name, fields)
    const text = await buttons()
    if (expected) expect(text).toMatch(expected)
    else expect(text).not.toContain((fields as { link_url: string }).link_url)
    await api.ask('DELETE', `/api/extras/custom-links/${id}/`)
  })

  it('links of the only group are in a menu with its name, in the order of their weights', async () => {
    await link('second', { group_name: 'Tools & more', weight: 20 })
    await link('first', { group_name: 'Tools & more', weight: 10, link_url: '/first' })
    await link('failing', { group_name: 'Tools & more', weight: 30, link_text: '{{ x.y }}' })
    expect(await page()).toContain('<summary class="button quiet">Tools &amp; more</summary>')
    expect(await buttons()).toMatch(
      /<ul><li><a class="custom-link default" href="\/first">first<\/a><\/li><li><a[^>]*>second<\/a><\/li><li><a[^>]*aria-disabled[^>]*>⚠ failing/,
    )
    const id = await link('alone', {})
    expect(await page()).toContain('<summary class="button quiet">Custom links</summary>')
    expect(await buttons()).toMatch(/>alone<\/a><\/li><\/ul><h2>Tools &amp; more<\/h2><ul><li><a[^>]*>first</)
    await api.ask('DELETE', `/api/extras/custom-links/${id}/`)
  })

  it('users see the links that they may view', async () => {
    await link('secret link', {})
    const user = await made('users/users', { username: 'guest', password: 'Guest-2026-x!' })
    await made('users/permissions', {
      ...{ name: 'sites', users: [user], object_types: ['dcim.site'], actions: ['view'] },
    })
    const { json } = await api.ask('POST', '/api/users/tokens/', { body: { user, version: 1 } })
    const token = String(json.token ?? json.key)
    expect(await buttons()).toContain('secret link')
    expect(await buttons(token)).not.toContain('secret link')
    expect(await page()).toContain(PLACEHOLDER)
    expect(await page(token)).not.toContain(PLACEHOLDER)
  })
})
