import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pagePathOf } from '../../src/schema/page-path.ts'
import type { Model } from '../../src/schema/registry.ts'
import { SYSTEM } from '../../src/schema/system-models.ts'
import { sql } from '../../src/sql/fragment.ts'
import { updateTable } from '../../src/sql/table.ts'
import { addressOf, pageAddresses } from '../pages/page-addresses.ts'
import { shareOfToday } from '../support/run-size.ts'
import { openObserver } from './observer.ts'
import { kindOf, VISIBLE_IDS } from './world.ts'

/** The user may do everything with the rows of kind 1. These refer to rows of kind 2, which refer to rows of kind 3. */
const SEEN = VISIBLE_IDS.filter((id) => kindOf(id) === 1)
const [SHOWN, HIDDEN] = [1, 3]
const ACTIONS = ['view', 'add', 'change', 'delete']

/** Actions on several objects: on the whole list, and on ids that the user cannot know. */
const BULK = [
  ['edit/', 'scope', 'all'],
  ['rename/', 'ids', '1-60'],
  ['delete/', 'ids', '1-60'],
] as const

/** Texts that only rows of kind 3 have. Rows of kind 2 are named by those that refer to them, as the API does. */
const MARKS = ['value-3', '10.0.3.', '00:00:00:00:00:03', '2020-01-03']

const world = await openObserver()
afterAll(() => world.close())
const addresses = await pageAddresses(world.api.service.database)
const models = [...addresses.registry.models.values()].filter(
  (model) => model.path !== '' && !model.definition.private && pagePathOf(model) !== undefined,
)

/** A link to a list with the number of its objects. */
const COUNTED = /<a href="([^"?]+)\?([^"]+)">[^<]*<\/a> <span class="count">(\d+)<\/span>/g

const apiPaths = new Map(models.map((model) => [addresses.root(model), model.path]))

const decoded = (query: string): string => query.replaceAll('&amp;', '&')

/** Markers in the API's own responses about the visible objects of a model, such as the brief form of a brief form. */
const known = new Map<string, ReadonlySet<string>>()

beforeAll(async () => {
  // Definitions of custom fields are public: every user sees their labels.
  await world.api.service.database.execute(sql`${updateTable(SYSTEM.customField)} set label = '', group_name = ''`)
  const types = world.models.map(({ name }) => name)
  await world.allow({ types, actions: ACTIONS, constraints: { id__in: SEEN } })
  for (const model of models) {
    const { text } = await world.ask('GET', `/api/${model.path}/?limit=100`)
    known.set(model.name, new Set(MARKS.filter((mark) => text.includes(mark))))
  }
  // The refusal of the API to delete a data source names script modules, which have no permissions by object.
  known.set('core.datasource', new Set(MARKS))
})

const ask = async (path: string, options: { method?: string; body?: FormData } = {}) => {
  const { method = 'GET', body } = options
  return await world.ask(method, path, { body, headers: { accept: 'text/html' } })
}

/**
 * Whether the API reveals it in responses about the visible objects of the model, about objects that its forms offer,
 * or about objects that its tabs list.
 */
function isKnown(mark: string, model: Model | undefined): boolean {
  if (!model) return false
  const { registry } = addresses
  const { tabs = [] } = registry.view(model)
  const related = [...model.fields.values()].flatMap((field) => {
    if (field.kind === 'genericForeignKey') return registry.targets(field).map((target) => target.name)
    return 'to' in field ? [field.to] : []
  })
  const names = [model.name, ...related, ...tabs.map((tab) => tab.model)]
  return names.some((name) => known.get(name)?.has(mark))
}

/**
 * The hidden names on a page, each with the surrounding text. `model`: what the API says about its objects is no
 * secret.
 */
const leaksIn = (path: string, text: string, model?: Model): readonly string[] =>
  MARKS.filter((mark) => text.includes(mark) && !isKnown(mark, model)).map((mark) => {
    const at = text.indexOf(mark)
    return `${path}: ${text.slice(Math.max(0, at - 100), at + 20)}`
  })

/** The entered text is shown again, which reveals nothing. */
const without = (text: string, entered: string): string => text.replaceAll(entered, '')

const tested = shareOfToday(models, { full: 1, usual: 3 })

describe.each(tested.map((model) => [model.name, model] as const))('%s', (_name, model) => {
  const root = addresses.root(model)
  const pages = addresses.of(model)

  it('shows no hidden object on its pages', async () => {
    const leaks: string[] = []
    const exports = ['?export', '?export=table', '?export=json', '?export=yaml']
    for (const path of [...pages, ...exports].filter((each) => !each.includes('_filters'))) {
      const address = `${root}${addressOf(path, SHOWN)}`
      const { status, text } = await ask(address)
      if (status >= 500) leaks.push(`${address}: ${status}`)
      leaks.push(...leaksIn(address, text, model))
    }
    expect(leaks).toEqual([])
  })

  it('has no page about a hidden object', async () => {
    // Types of objects are public.
    if (model.name === SYSTEM.objectType) return
    const found: string[] = []
    for (const path of pages.filter((each) => each.includes(':id'))) {
      const { status } = await ask(`${root}${addressOf(path, HIDDEN)}`)
      if (status !== 404 && status !== 403) found.push(`${path}: ${status}`)
    }
    expect(found).toEqual([])
  })

  it('offers no hidden object as a choice', async () => {
    const leaks: string[] = []
    for (const query of ['?limit=60', '?q=value-3', `?id=${HIDDEN}`]) {
      const path = `/choices/${model.path}/${query}`
      leaks.push(...leaksIn(path, (await ask(path)).text, model))
    }
    expect(leaks).toEqual([])
  })

  it('counts as the API does', async () => {
    const { text } = await ask(`${root}?limit=1000`)
    const { json } = await world.ask('GET', `/api/${model.path}/?limit=1`)
    const shown = /<h1>[^<]*<small class="count"[^>]*>([\d,]+)</.exec(text)?.[1]
    expect(Number(shown?.replace(',', ''))).toBe(json.count)
  })

  it('counts related objects as the API does', async () => {
    const { text } = await ask(`${root}${SHOWN}/`)
    const wrong: string[] = []
    for (const [, list = '', query = '', count = ''] of text.matchAll(COUNTED)) {
      const path = apiPaths.get(list)
      if (path === undefined) continue
      const { json } = await world.ask('GET', `/api/${path}/?${decoded(query)}&limit=1`)
      if (Number(json.count) !== Number(count)) wrong.push(`${list}?${query}: ${count}, not ${json.count}`)
    }
    expect(wrong).toEqual([])
  })

  it('excludes hidden objects from an action on several', async () => {
    const leaks: string[] = []
    for (const [path, name, value] of BULK.filter(([path]) => pages.includes(path))) {
      const body = new FormData()
      body.append(name, value)
      body.append('do', 'preview')
      body.append('find', 'v')
      body.append('replace', 'w')
      const { status, text } = await ask(`${root}${path}`, { method: 'POST', body })
      if (status >= 500) leaks.push(`${path}: ${status}`)
      leaks.push(...leaksIn(`${root}${path}`, text.replaceAll('walue-', 'value-'), model))
    }
    expect(leaks).toEqual([])
  })

  it('responds to an import that names a hidden object as to one that names a missing object', async () => {
    if (!pages.includes('import/')) return
    const preview = async (id: number): Promise<string> => {
      const body = new FormData()
      body.append('step', 'preview')
      body.append('data', `id,description\n${id},x\n`)
      const { text } = await ask(`${root}import/`, { method: 'POST', body })
      const alert = /<(?:div class="notice bad"|table).*?<\/(?:div|table)>/s.exec(text)?.[0] ?? ''
      return without(alert, String(id))
    }
    expect(await preview(HIDDEN)).toBe(await preview(999))
  })
})

it('no other page shows a hidden object', async () => {
  const leaks: string[] = []
  for (const path of [...addresses.others, '/search/?q=value&lookup=icontains']) {
    const { status, text } = await ask(path)
    if (status >= 500) leaks.push(`${path}: ${status}`)
    leaks.push(...leaksIn(path, text))
  }
  const { text } = await ask('/search/?q=value-3')
  leaks.push(...leaksIn('/search/', without(text, 'value="value-3"').replace(/<title>.*?<\/title>/s, '')))
  expect(leaks).toEqual([])
})
