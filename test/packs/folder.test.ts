import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { loadApplication } from '../../src/app/core.ts'
import { runPackCommand } from '../../src/app/plugins/pack-jobs.ts'
import { ConfigurationError } from '../../src/base/errors.ts'
import { readSettings } from '../../src/config/settings.ts'
import { type Api, startApi, startApiOver } from '../support/api.ts'
import { openTestDatabase } from '../support/database.ts'
import { directoryOfTest } from '../support/directory.ts'

const FOLDER = join(import.meta.dirname, '../../examples/cages')
const FREE = '/plugins/cages/free/'

const page = async (api: Api, path: string, language = 'en') =>
  await api.ask('GET', path, { headers: { accept: 'text/html', 'accept-language': language } })

describe('a pack in a folder that PLUGINS names', () => {
  let api: Api
  let pack: string
  let location: number
  beforeAll(async () => {
    api = await startApi({ PLUGINS: FOLDER })
    pack = `/api/core/packs/${(await api.ask('GET', '/api/core/packs/?name=cages')).json.results?.[0]?.id}/`
    const site = await api.make('dcim/sites', { name: 'A', slug: 'a' })
    location = await api.make('dcim/locations', { name: 'Hall', slug: 'hall', site })
    for (const name of ['1', '2']) await api.make('plugins/cages/cages', { name, location })
  })
  afterAll(() => api.close())

  it('is on from the start, and is neither a pack that ships nor one that can be changed or deleted', async () => {
    const { json } = await api.ask('GET', pack)
    expect(json).toMatchObject({ name: 'cages', enabled: true, source: { value: 'installed' } })
    expect((await api.ask('PATCH', pack, { body: { name: 'other' } })).json).toMatchObject({
      name: [expect.any(String)],
    })
    expect((await api.ask('DELETE', pack)).status).toBe(409)
  })

  it.each([
    ['its page', FREE, '<link rel="stylesheet" href="/static/cages.css', 'Free cages'],
    ['its entry in the menu', '/', `href="${FREE}"`],
    ['a button above its list', '/plugins/cages/cages/', `<a class="button quiet" href="${FREE}">Free cages</a>`],
    ['its kind of widget', '/dashboard/', 'kind=cages.FreeWidget'],
  ])('adds %s', async (_, path, ...contents) => {
    const { status, text } = await page(api, path)
    expect(status).toBe(200)
    for (const content of contents) expect(text).toContain(content)
  })

  it('has translations', async () => {
    expect((await page(api, FREE, 'de')).text).toContain('<h1>Freie Käfige</h1>')
  })

  it('has settings that are checked, undone, and shown in a form', async () => {
    const notice = async () => (await page(api, `/dcim/locations/${location}/`)).text.includes('Free cages: 2')
    expect(await notice()).toBe(false)
    const changed = await api.ask('PATCH', pack, { body: { settings: { warn_below: 3 } } })
    expect(changed.status, changed.text).toBe(200)
    expect(await notice()).toBe(true)
    for (const [settings, problem] of [
      [{ warn_below: 101 }, 'warn_below: Expected a whole number from 0 to 100.'],
      [{ warn_below: '3' }, 'warn_below: Expected a whole number from 0 to 100.'],
      [{ constructor: 1 }, 'constructor: The pack has no such setting.'],
    ] as const) {
      const refused = await api.ask('PATCH', pack, { body: { settings } })
      expect([refused.status, refused.json]).toEqual([400, { settings: [problem] }])
    }
    const form = await page(api, `/core/packs/${pack.split('/').at(-2)}/settings/`)
    expect(form.text).toMatch(/<input[^>]+name="warn_below"[^>]+value="3"/)
    const request = changed.headers.get('x-request-id')
    expect((await api.ask('POST', `/api/core/requests/${request}/undo/`, { body: {} })).status).toBe(200)
    expect(await notice()).toBe(false)
  })

  it('has endpoints that write with the rights of the sender, in one transaction', async () => {
    const tenant = await api.make('tenancy/tenants', { name: 'T', slug: 't' })
    const refused = await api.ask('POST', '/api/plugins/cages/let/', { body: { location, tenant: 999 } })
    expect(refused.status).toBe(400)
    const { json } = await api.ask('POST', '/api/plugins/cages/let/', { body: { location, tenant } })
    expect(json).toEqual({ let: 2 })
    expect((await api.ask('GET', '/api/plugins/cages/cages/?status=let')).json.count).toBe(2)
  })

  it('has a job that is scheduled while it is on', async () => {
    await api.background.runUntilIdle()
    const { json } = await api.ask('GET', '/api/core/jobs/?name=Count of free cages')
    expect(json.results?.[0]).toMatchObject({ status: { value: 'scheduled' } })
  })

  it('has commands', async () => {
    const application = await loadApplication(readSettings({ PLUGINS: FOLDER }))
    const run = (...words: [string, string]) => runPackCommand(application, api.service, words)
    await expect(run('cages', 'limit')).resolves.toBeUndefined()
    await expect(run('cages', 'constructor')).rejects.toThrow(
      'The pack cages has no command constructor. It has: limit.',
    )
    await expect(run('bgp', 'limit')).rejects.toThrow('The pack bgp is not on.')
  })

  it('adds nothing while it is off', async () => {
    const off = await api.ask('PATCH', pack, { body: { enabled: false } })
    expect(off.status, off.text).toBe(200)
    expect((await page(api, FREE)).status).toBe(404)
    expect((await page(api, '/')).text).not.toContain(FREE)
    expect((await page(api, '/dashboard/')).text).not.toContain('cages.FreeWidget')
    expect((await api.ask('POST', '/api/plugins/cages/let/', { body: {} })).status).toBe(404)
    expect((await api.ask('PATCH', pack, { body: { enabled: true } })).status).toBe(200)
    expect((await page(api, FREE)).status).toBe(200)
  })
})

it('a pack whose folder is gone keeps its data, says so, and can be removed from the list', async () => {
  const database = await openTestDatabase('migrated')
  const first = await startApiOver(database, { PLUGINS: FOLDER })
  const site = await first.make('dcim/sites', { name: 'A', slug: 'a' })
  const location = await first.make('dcim/locations', { name: 'Hall', slug: 'hall', site })
  await first.make('plugins/cages/cages', { name: '1', location })
  const path = `/api/core/packs/${(await first.ask('GET', '/api/core/packs/?name=cages')).json.results?.[0]?.id}/`
  const problem = 'Its folder is not there any more.'
  // The servers share the database, which the last one closes.
  const second = await startApiOver(database)
  onTestFinished(() => second.close())
  expect((await second.ask('GET', path)).json).toMatchObject({ problem })
  expect((await second.ask('GET', '/api/plugins/cages/cages/')).status).toBe(404)
  const third = await startApiOver(database, { PLUGINS: FOLDER })
  expect((await third.ask('GET', path)).json).toMatchObject({ problem: '', enabled: true })
  expect((await third.ask('GET', '/api/plugins/cages/cages/')).json.count).toBe(1)
  const fourth = await startApiOver(database)
  expect((await fourth.ask('PATCH', path, { body: { enabled: false } })).status).toBe(200)
  expect((await fourth.ask('PATCH', path, { body: { enabled: true } })).json).toEqual({ enabled: [problem] })
  expect((await fourth.ask('DELETE', path)).status).toBe(204)
})

/** A folder with a pack whose model has this field besides its name. */
function folderWith(field: string): string {
  const folder = directoryOfTest()
  const model = `{name: thing, path: things, labels: [thing, things], fields: {name: {kind: text}, x: ${field}}}`
  writeFileSync(join(folder, 'pack.yaml'), `name: broken\nmodels: [${model}]\n`)
  return folder
}

it.each([
  [
    'another pack of that name',
    () => join(import.meta.dirname, '../../packs/bgp'),
    /^PLUGINS: .+ there is a pack bgp already\.$/,
  ],
  [
    'an option of another kind',
    () => folderWith('{kind: objects, to: dcim.rack, optional: true}'),
    /^The pack .+pack\.yaml cannot be used: models\/0\/fields\/x: .+\.$/,
  ],
  [
    'a pattern that is none',
    () => folderWith('{kind: text, pattern: "("}'),
    /^The pack .+pack\.yaml cannot be used: the regular expression \( cannot be used\.$/,
  ],
])('%s stops the start with one sentence', async (_, folder, problem) => {
  const loading = loadApplication(readSettings({ PLUGINS: folder() }))
  await expect(loading).rejects.toThrow(ConfigurationError)
  await expect(loading).rejects.toThrow(problem)
})
