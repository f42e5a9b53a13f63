import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Model } from '../../src/schema/registry.ts'
import { collections, ExampleObjects, offers } from '../registry/example-objects.ts'
import { startApiWithOwnModels } from '../support/own-models.ts'
import { markupFaults } from './markup-faults.ts'
import { addressOf, pageAddresses } from './page-addresses.ts'

const UNWANTED = 'intruder'

/** Texts with markup, from right to left, with characters of four bytes, and one word of 200 characters. */
const TEXTS: readonly string[] = [
  `"><${UNWANTED} onclick='1'>&lt;</td></form>שלום\u{202e}مرحبا 🧪𠜎`,
  'W'.repeat(200),
  `<${UNWANTED}>"'&`,
  '𠜎🧪',
]

const api = await startApiWithOwnModels()
afterAll(() => api.close())
const addresses = await pageAddresses(api.service.database)
const models = collections(addresses.registry)

beforeAll(async () => {
  await new ExampleObjects(api).createAll()
  for (const model of models) await writeTexts(model)
})

/** Writes the texts into all fields of the model's first objects that accept them, the longest that fits first. */
async function writeTexts(model: Model): Promise<void> {
  if (!offers(model, 'PATCH')) return
  const fields = [...model.fields].filter(
    ([, field]) => field.kind === 'text' && field.format === 'plain' && !('choices' in field),
  )
  const ids = await idsOf(model)
  for (const [place, id] of ids.slice(0, 2).entries()) {
    for (const [name, field] of fields) {
      const max = 'max' in field && field.max !== undefined ? field.max : 1000
      const [first = ''] = [...TEXTS.slice(place), ...TEXTS].filter((text) => text.length <= max)
      await api.ask('PATCH', `/api/${model.path}/${id}/`, { body: { [name]: first } })
    }
  }
}

async function idsOf(model: Model): Promise<readonly number[]> {
  const { json } = await api.ask('GET', `/api/${model.path}/?limit=2&fields=id`)
  return (json.results ?? []).map(({ id }) => Number(id))
}

const faultsAt = async (
  path: string,
  options: { method?: string; body?: FormData } = {},
): Promise<readonly string[]> => {
  const { method = 'GET', body } = options
  const headers = { accept: 'text/html', 'accept-language': 'de' }
  const { status, text } = await api.ask(method, path, { body, headers })
  if (status === 303) return []
  const faults = markupFaults(text, UNWANTED)
  return [...(status >= 500 ? [`${status}`] : []), ...faults].map((each) => `${path}: ${each}`)
}

describe.each(models.map((model) => [model.name, model] as const))('%s', (_name, model) => {
  const pages = addresses.of(model)
  const root = addresses.root(model)

  it('has well-formed pages, whatever its names contain', async () => {
    const ids = await idsOf(model)
    const all = pages.flatMap((path) => (path.includes(':id') ? ids.map((id) => addressOf(path, id)) : [path]))
    const faults: string[] = []
    for (const path of all) faults.push(...(await faultsAt(`${root}${path}`)))
    faults.push(...(await faultsAt(`${root}?q=%3C${UNWANTED}%3E%22&name=%3C${UNWANTED}%3E%22'`)))
    expect(faults).toEqual([])
  })

  it('has well-formed pages for several objects', async () => {
    const faults: string[] = []
    for (const path of ['edit/', 'rename/', 'delete/'].filter((each) => pages.includes(each))) {
      const body = new FormData()
      body.append('scope', 'all')
      body.append('query', `limit=5&name=<${UNWANTED}>"`)
      body.append('do', 'preview')
      body.append('find', `<${UNWANTED}`)
      body.append('replace', `"<${UNWANTED}>`)
      faults.push(...(await faultsAt(`${root}${path}`, { method: 'POST', body })))
    }
    expect(faults).toEqual([])
  })

  it('has a well-formed preview of an import with such values', async () => {
    if (!pages.includes('import/')) return
    const body = new FormData()
    body.append('step', 'preview')
    body.append('data', `name,"<${UNWANTED}>"\n"<${UNWANTED}>""'","&lt;${UNWANTED}"\n`)
    expect(await faultsAt(`${root}import/`, { method: 'POST', body })).toEqual([])
  })
})

it('names are shown as they were entered', async () => {
  const { text } = await api.ask('GET', '/dcim/sites/?limit=2', {
    headers: { accept: 'text/html' },
  })
  expect(text).toContain(`<bdi>&quot;&gt;&lt;${UNWANTED} onclick=&#39;1&#39;&gt;&amp;lt;&lt;/td&gt;`)
  expect(text).toContain('W'.repeat(100))
})

it.each([
  ['an element of a name', `<p><${UNWANTED}></${UNWANTED}></p>`],
  ['an attribute of a name', `<p title="a" ${UNWANTED}="b"></p>`],
  ['a quote within an attribute', '<p title="a"b"></p>'],
  ['a raw character', '<p>1 < 2</p>'],
  ['an element that is not closed', '<p><b></p>'],
  ['an element that is closed twice', '<p></p></p>'],
])('a page is not well-formed with %s', (_name, page) => {
  expect(markupFaults(page, UNWANTED)).not.toEqual([])
})

it('all other pages are well-formed', async () => {
  const faults: string[] = []
  const texts = TEXTS.map(encodeURIComponent)
  const searches = texts.map((text) => `/search/?q=${text.slice(0, 300)}`)
  for (const path of [...addresses.others, ...searches]) faults.push(...(await faultsAt(path)))
  expect(faults).toEqual([])
})
