import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, type Document, startApi } from '../support/api.ts'
import { createdId, createdIds, readPage } from '../support/requests.ts'

const TYPES = 'plugins/custom-objects/custom-object-types'
const FIELDS = 'plugins/custom-objects/custom-object-type-fields'
const OWN = 'custom_objects.supportcontract'
const BOTH = ['dcim.site', 'dcim.rack']

let api: Api
const ids = new Map<string, number>()
const make = async (
  path: string,
  body: { readonly name: string; readonly [field: string]: unknown },
): Promise<number> => {
  const id = await createdId(api, path, body)
  ids.set(`${path} ${body.name}`, id)
  return id
}
const idOf = (path: string, name: string): number => ids.get(`${path} ${name}`) ?? 0

beforeAll(async () => {
  api = await startApi()
  const type = await make(TYPES, {
    ...{ name: 'support_contract', slug: 'support-contracts' },
    ...{ verbose_name: 'support contract', verbose_name_plural: 'support contracts' },
  })
  const field = (name: string, more: object) => make(FIELDS, { name, custom_object_type: type, ...more })
  await field('number', { type: 'text', primary: true })
  await field('hours', { type: 'integer' })
  await field('racks', { type: 'multiobject', related_object_type: 'dcim.rack' })
  await field('spot', { type: 'coordinates' })
  const extension = await make(TYPES, { name: 'site_facts', slug: 'site-facts', extends: 'dcim.site' })
  await make(FIELDS, { name: 'floors', type: 'integer', custom_object_type: extension })
  await make('extras/custom-fields', { name: 'tier', type: 'integer', object_types: BOTH })
  await make('extras/tags', { name: 'Old', slug: 'old' })
  const tags = [{ slug: 'old' }]
  const [site] = await createdIds(api, 'dcim/sites', [
    { name: 'A', slug: 'a', custom_fields: { tier: 1 }, tags, floors: 3 },
    { name: 'B', slug: 'b', custom_fields: { tier: 2 }, tags },
    { name: 'C', slug: 'c' },
  ])
  const rack = await createdId(api, 'dcim/racks', { name: 'R', site, custom_fields: { tier: 3 }, tags })
  await createdIds(api, 'plugins/custom-objects/support-contracts', [
    { number: '1', hours: 1, racks: [rack], spot_latitude: 1, spot_longitude: 2 },
    { number: '2', hours: 2 },
    { number: '3' },
  ])
  await make('extras/saved-filters', {
    ...{ name: 'Short', slug: 'short', object_types: [OWN], parameters: { hours: ['1'] } },
  })
  await make('extras/saved-filters', {
    ...{ name: 'Tiers', slug: 'tiers', object_types: ['dcim.site'], parameters: { cf_tier: ['1'] } },
  })
  await make('users/permissions', {
    ...{ name: 'Few hours', object_types: [OWN], actions: ['view'], constraints: { hours__lt: 2 } },
  })
  await make('extras/computed-fields', { name: 'twice', object_type: OWN, expression: "number & '!'" })
})
afterAll(() => api.close())

/** The texts of the part that says what happens, without markup. */
const effectsIn = (page: string): string =>
  (/<h2>What happens<\/h2>(.*?)<\/section>/s.exec(page)?.[1] ?? '').replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')

const CASES: readonly {
  readonly path: string
  readonly name: string
  /** What the confirmation says in red. */
  readonly lost: readonly string[]
  /** Objects that name what is deleted. */
  readonly uses: readonly string[]
  /** Numbers of objects that a dry run reports, by type. */
  readonly deleted: Readonly<Record<string, number>>
  readonly changed: Readonly<Record<string, number>>
}[] = [
  {
    ...{ path: TYPES, name: 'support_contract', lost: ['3 support contracts will be deleted.'] },
    uses: ['1 saved filter', '1 permission', '1 computed field'],
    deleted: { [OWN]: 3, 'custom_objects.customobjecttype': 1, 'custom_objects.customobjecttypefield': 4 },
    changed: {},
  },
  {
    ...{ path: FIELDS, name: 'hours', lost: ['2 support contracts will lose their value of “hours”.'] },
    uses: ['1 saved filter', '1 permission'],
    deleted: { 'custom_objects.customobjecttypefield': 1 },
    changed: { [OWN]: 2 },
  },
  {
    ...{ path: FIELDS, name: 'racks', lost: ['1 support contract will lose its value of “racks”.'], uses: [] },
    deleted: { 'custom_objects.customobjecttypefield': 1 },
    changed: { [OWN]: 1 },
  },
  {
    ...{ path: FIELDS, name: 'spot', lost: ['1 support contract will lose its value of “spot”.'], uses: [] },
    deleted: { 'custom_objects.customobjecttypefield': 1 },
    changed: { [OWN]: 1 },
  },
  {
    ...{ path: FIELDS, name: 'floors', lost: ['1 site will lose its value of “floors”.'], uses: [] },
    deleted: { 'custom_objects.customobjecttypefield': 1 },
    changed: { 'dcim.site': 1 },
  },
  {
    ...{ path: TYPES, name: 'site_facts', lost: ['1 site will lose its value of “floors”.'], uses: [] },
    deleted: { 'custom_objects.customobjecttype': 1, 'custom_objects.customobjecttypefield': 1 },
    changed: { 'dcim.site': 1 },
  },
  {
    ...{ path: 'extras/custom-fields', name: 'tier' },
    lost: ['2 sites will lose their value of “tier”.', '1 rack will lose its value of “tier”.'],
    uses: ['1 saved filter'],
    deleted: { 'extras.customfield': 1 },
    changed: { 'dcim.site': 2, 'dcim.rack': 1 },
  },
  {
    ...{ path: 'extras/tags', name: 'Old', uses: [] },
    lost: ['1 rack will lose the tag “Old”.', '2 sites will lose the tag “Old”.'],
    deleted: { 'extras.tag': 1, 'extras.taggeditem': 3 },
    changed: { 'dcim.site': 2, 'dcim.rack': 1 },
  },
]

const countsOf = (list: readonly Document[]) =>
  Object.fromEntries(
    [...Map.groupBy(list, ({ object_type }) => String(object_type))].map(([type, objects]) => [type, objects.length]),
  )

describe.each(CASES)('the deletion of $path $name', ({ path, name, lost, uses, deleted, changed }) => {
  it('is confirmed with all that it destroys, in red, before the rest', async () => {
    const page = await readPage(api, `/${path}/${idOf(path, name)}/delete/`)
    const red = /<h2>What happens<\/h2>\s*<div class="notice bad">(.*?)<\/div>/s.exec(page)?.[1] ?? ''
    expect([...red.matchAll(/<p><strong>(.*?)<\/strong>/g)].map(([, sentence]) => sentence).toSorted()).toEqual(
      lost.toSorted(),
    )
    const effects = effectsIn(page)
    for (const use of uses) expect(effects).toContain(use)
    expect(effects.includes('These name what is deleted')).toBe(uses.length > 0)
  })

  it('is confirmed alike if several are deleted', async () => {
    const body = new FormData()
    body.append('ids', String(idOf(path, name)))
    const { text } = await api.ask('POST', `/${path}/delete/`, { body, headers: { accept: 'text/html' } })
    for (const sentence of [...lost, ...uses]) expect(effectsIn(text)).toContain(sentence)
  })

  it('reports the same as a dry run', async () => {
    const { json, text } = await api.ask('DELETE', `/api/${path}/${idOf(path, name)}/?dry_run=true`)
    expect(countsOf([...(json.deleted ?? [])]), text).toEqual(deleted)
    expect(countsOf([...(json.changed ?? [])]), text).toEqual(changed)
  })

  it('says when it is undone what comes back', async () => {
    const { status, headers } = await api.ask('DELETE', `/api/${path}/${idOf(path, name)}/`)
    expect(status).toBe(204)
    const request = headers.get('x-request-id')
    const { json } = await api.ask('GET', `/api/core/object-changes/?request_id=${request}&limit=1`)
    const page = await readPage(api, `/core/changelog/${json.results?.[0]?.id}/undo/?request`)
    const notice = /<div class="notice">(.*?)<\/div>/s.exec(page)?.[1] ?? ''
    expect([...notice.matchAll(/<p>(.*?)<\/p>/g)].map(([, sentence]) => sentence).toSorted()).toEqual(
      lost.map(returning).toSorted(),
    )
    const { text, ...undone } = await api.ask('POST', `/api/core/requests/${request}/undo/`, { body: {} })
    expect(undone.status, text).toBe(200)
  })
})

/** The sentence about an undo for one about a deletion. */
const returning = (sentence: string): string =>
  sentence
    .replace('will be deleted', 'will come back')
    .replace('will lose the tag “Old”', 'will have the tag “Old” again')
    .replace(/will lose (its value|their value) of (“.*”)/, 'will have $1 of $2 again')
