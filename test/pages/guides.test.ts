import { globSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { documentMarkup } from '../../src/web/guides/document-markup.ts'
import { GUIDE_PATHS, guideAddress, guideAt } from '../../src/web/guides/documents.ts'
import { GUIDE_TARGETS } from '../../src/web/guides/guide-of-model.ts'
import { Browser } from '../sessions/browser.ts'
import { type Api, startApi } from '../support/api.ts'

const HTML = { accept: 'text/html' }

describe('the guides of the service', () => {
  let api: Api
  let admin: Browser
  beforeAll(async () => {
    api = await startApi({ BASE_PATH: 'cadastre' })
    admin = new Browser(api.url)
    await admin.logIn('admin', 'admin')
  })
  afterAll(() => api.close())

  const page = async (path: string): Promise<string> => {
    const { status, text } = await api.ask('GET', path, { headers: HTML })
    expect(status, path).toBe(200)
    return text
  }
  /** The address without the base path, with which the tests ask. */
  const below = (address: string): string => address.replace('/cadastre', '')
  const articleIn = (text: string): string => /<article.*?<\/article>/s.exec(text)?.[0] ?? ''

  it('have a page for each document, whose links lead to pages and sections that exist', async () => {
    const addresses = new Map(GUIDE_PATHS.map((path) => [`/cadastre${guideAddress(path)}`, guideAt(path)]))
    expect(addresses.size).toBe(globSync('**/*.md', { cwd: join(import.meta.dirname, '../../docs') }).length)
    for (const [address, guide] of addresses) {
      const article = articleIn(await page(below(address)))
      for (const [, href = ''] of article.matchAll(/<a href="([^"]*)"/g)) {
        if (/^(?:https?:|mailto:)/.test(href)) continue
        const [path = '', anchor] = href.split('#')
        const target = path === '' ? guide : addresses.get(path)
        // Lists of the menu.
        if (!target) expect((await api.ask('GET', below(path), { headers: HTML })).status, href).toBe(200)
        else if (anchor !== undefined)
          expect(
            target.sections.map((section) => section.anchor),
            `${address}: ${href}`,
          ).toContain(anchor)
      }
      for (const [, source = ''] of article.matchAll(/<img src="([^"]*)"/g))
        expect((await api.ask('GET', below(source))).headers.get('content-type')).toBe('image/webp')
    }
  })

  it.each([
    ['a text in a section', 'contract days before', /docs\/use\/events\/#dates/],
    ['a heading', 'Cables and panels', /docs\/start\/inventory\/#cables-and-panels">/],
    ['a title', 'tutorial new site', /docs\/start\/tutorial\/">/],
    [
      'words of a subject',
      'schedule script',
      /guide-results[^>]*><li class="card"><a href="[^"]*docs\/use\/scripts\/#running"/,
    ],
    [
      'a question with a word that is nowhere',
      'restore another machine xyzzy-plugh',
      /docs\/operate\/operations\/#move-to-another-machine/,
    ],
    ['words with special characters', 'npm (start', /Nothing found|<mark>/],
    ['nothing', 'xyzzy-plugh', /Nothing found/],
    ['markup', '<b>', /Nothing found|&lt;b&gt;/],
  ])('are searched by words: %s', async (_what, words, expected) => {
    const text = await page(`/docs/?${new URLSearchParams({ q: words })}`)
    expect(text).toMatch(expected)
    expect(text).not.toContain('<b>')
  })

  it.each([
    ['/extras/event-rules/add/', '/docs/use/events/#rules'],
    ['/dcim/cables/add/', '/docs/start/inventory/#cables-and-panels'],
    ['/users/permissions/add/', '/docs/operate/permissions/'],
    ['/dcim/sites/import/', '/docs/use/import-export/'],
  ])('are one click from the form %s', async (form, guide) => {
    const { text } = await admin.visit(form)
    expect(/guide-link" href="([^"]*)"/.exec(text)?.[1]).toBe(`/cadastre${guide}`)
    expect(text).toContain('href="/cadastre/docs/"')
  })

  it('link places in the menu for those who may open them', async () => {
    await api.make('users/users', { username: 'alice', password: 'Corr3ct-Horse-Battery' })
    const alice = new Browser(api.url)
    await alice.logIn('alice', 'Corr3ct-Horse-Battery')
    const link = 'href="/cadastre/dcim/sites/"><em>Organization › Sites</em>'
    expect((await admin.visit('/start/tutorial/')).text).toContain(link)
    expect((await alice.visit('/start/tutorial/')).text).not.toContain(link)
  })

  it('exist for every form that names one', () => {
    for (const target of GUIDE_TARGETS) {
      const [path = '', anchor] = target.split('#')
      expect(GUIDE_PATHS).toContain(path)
      if (anchor !== undefined)
        expect(
          guideAt(path).sections.map((section) => section.anchor),
          target,
        ).toContain(anchor)
    }
  })

  it.each([
    ['/docs/use/../../package.json', 404],
    ['/docs/nothing/', 404],
    ['/docs/use/pages.md', 404],
  ])('%s is not there', async (path, status) => {
    expect((await api.ask('GET', path, { headers: HTML })).status).toBe(status)
  })
})

describe('a document', () => {
  const targets = {
    link: (href: string) => (href === 'a.md' ? '/docs/a/' : undefined),
    title: () => 'A title',
    image: () => undefined,
  }
  it.each([
    ['<script>alert(1)</script>', '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>'],
    ['a <b onclick="x">b</b>', '<p>a &lt;b onclick=&quot;x&quot;&gt;b&lt;/b&gt;</p>'],
    ['[x](javascript:alert(1))', '<p>[x](javascript:alert(1))</p>'],
    ['[x](a.md)', '<p><a href="/docs/a/">x</a></p>'],
    ['[x](other.md)', '<p><span>x</span></p>'],
    ['[a.md](a.md)', '<p><a href="/docs/a/">A title</a></p>'],
    ['[x](https://a.example/)', '<p><a href="https://a.example/" rel="noreferrer">x</a></p>'],
    ['![x](https://a.example/x.png)', '<p><em>x</em></p>'],
    ['## A <i> heading', '<h2 id="a-i-heading">A &lt;i&gt; heading</h2>'],
    ['```\n<x>\n```', '<pre tabindex="0"><code>&lt;x&gt;\n</code></pre>'],
  ])('is rendered without markup or scripts of its own: %s', (markdown, expected) => {
    expect(String(documentMarkup(markdown, targets)).trim()).toBe(expected)
  })
})
