import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { coreOver } from '../../src/app/core.ts'
import {
  changeConfiguration,
  currentStates,
  listRevisions,
  restoreRevision,
} from '../../src/changes/configuration-revisions.ts'
import { revisedValue } from '../../src/config/dynamic-settings.ts'
import { loadSecrets } from '../../src/config/secrets.ts'
import { readSettings } from '../../src/config/settings.ts'
import { type Api, startApi } from '../support/api.ts'
import { openTestDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'

describe('revisions of the configuration', () => {
  let api: Api
  beforeAll(async () => {
    api = await startApi({ MAX_PAGE_SIZE: '500' })
  })
  afterAll(() => api.close())

  const pageSize = async () => {
    const { json } = await api.ask('GET', '/api/dcim/sites/')
    return json.results?.length
  }
  const set = (changes: Readonly<Record<string, string>>, comment = '') =>
    changeConfiguration(
      api.service,
      Object.fromEntries(Object.entries(changes).map(([name, text]) => [name, revisedValue(name, text)])),
      comment,
    )

  it('take effect at once, and an earlier one can be restored', async () => {
    const sites = Array.from({ length: 3 }, (_, index) => ({
      name: `s${index}`,
      slug: `s${index}`,
    }))
    await api.ask('POST', '/api/dcim/sites/', { body: sites })
    expect(await pageSize()).toBe(3)
    const first = await set({ PAGINATE_COUNT: '2' }, 'two')
    await eventually(async () => expect(await pageSize()).toBe(2))
    await set({ PAGINATE_COUNT: '1' })
    await eventually(async () => expect(await pageSize()).toBe(1))
    await restoreRevision(api.service, first)
    await eventually(async () => expect(await pageSize()).toBe(2))
    const revisions = await listRevisions(api.service.database)
    expect(revisions.map(({ active, comment, data }) => [active, comment, data])).toEqual([
      [true, `Restored revision ${first}`, { PAGINATE_COUNT: 2 }],
      [false, '', { PAGINATE_COUNT: 1 }],
      [false, 'two', { PAGINATE_COUNT: 2 }],
    ])
  })

  it('do not override the environment', async () => {
    await set({ MAX_PAGE_SIZE: '1' })
    const states = await currentStates(api.service)
    expect(states.find(({ name }) => name === 'MAX_PAGE_SIZE')).toMatchObject({
      value: 500,
      source: 'environment',
    })
    expect(states.find(({ name }) => name === 'PAGINATE_COUNT')?.source).toBe('revision')
    expect(states.find(({ name }) => name === 'BANNER_TOP')?.source).toBe('default')
  })

  it('can contain rules for objects', async () => {
    let attempts = 0
    // Each attempt has a name of its own: one that was accepted before the rule applied would be refused as a duplicate.
    const createSite = () => {
      const name = `s${attempts++}`
      return api.ask('POST', '/api/dcim/sites/', { body: { name, slug: name } })
    }
    const rules = '{"dcim.site": [{"name": {"min_length": 4}}]}'
    await set({ CUSTOM_VALIDATORS: rules })
    await eventually(async () => expect((await createSite()).status).toBe(400))
    await changeConfiguration(api.service, { CUSTOM_VALIDATORS: undefined }, '')
    await eventually(async () => expect((await createSite()).status).toBe(201))
  })

  it.each([
    [{ PAGINATE_COUNT: 'x' }, /PAGINATE_COUNT must be a whole number/],
    [{ PORT: '1' }, /PORT cannot be changed while the service runs/],
    [{ CUSTOM_VALIDATORS: '{"dcim.x": [{"name": {"min": 1}}]}' }, /no model dcim.x/],
  ])('with invalid values are refused: %j', async (changes, message) => {
    const before = await listRevisions(api.service.database)
    await expect((async () => await set(changes))()).rejects.toThrow(message)
    expect(await listRevisions(api.service.database)).toEqual(before)
  })

  it('set banners, which are shown as text', async () => {
    await set({ BANNER_TOP: '<b onclick="x()">Lab</b> & more', BANNER_LOGIN: 'Ask Ann' })
    const page = async (path: string) =>
      (await api.ask('GET', path, { headers: { accept: 'text/html' }, token: null })).text
    await eventually(async () => expect(await page('/login/')).toContain('Ask Ann'))
    expect(await page('/login/')).toContain('&lt;b onclick=&quot;x()&quot;&gt;Lab&lt;/b&gt; &amp; more')
    expect(await page('/nothing/')).not.toContain('Ask Ann')
    expect(await page('/nothing/')).toContain('Lab')
  })

  it('set the preferences of users who have none', async () => {
    const path = '/api/users/config/'
    await set({ DEFAULT_USER_PREFERENCES: '{"pagination": {"per_page": 100}}' })
    await eventually(async () => expect((await api.ask('GET', path)).json).toEqual({ pagination: { per_page: 100 } }))
    await api.ask('PATCH', path, { body: { ui: { theme: 'dark' } } })
    expect((await api.ask('GET', path)).json).toEqual({
      pagination: { per_page: 100 },
      ui: { theme: 'dark' },
    })
  })
})

it('a revision stored just before the service stops is applied without a warning', async () => {
  const settings = readSettings({})
  const warnings: string[] = []
  const secrets = loadSecrets(settings, () => undefined)
  const core = await coreOver(await openTestDatabase('migrated'), settings, secrets, {
    warn: (sentence) => void warnings.push(sentence),
  })
  await changeConfiguration(core.service, { PAGINATE_COUNT: 7 }, '')
  await core.close()
  expect([warnings, core.service.settings.paginateCount]).toEqual([[], 7])
})
