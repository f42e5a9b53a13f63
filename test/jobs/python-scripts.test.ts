import { cpSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkScripts } from '../../src/automation/scripts/check-files.ts'
import { formData, readForm } from '../pages/read-form.ts'
import { type Api, type Document, startApi } from '../support/api.ts'

const html = { accept: 'text/html' }
const SCRIPTS = '/api/extras/scripts/'

/** Scripts in Python: how they are listed, asked for and started. test/jobs/python contains them. */
describe('scripts in Python', () => {
  let api: Api
  let region: number
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'python-scripts-')))
  const sources = realpathSync(mkdtempSync(join(tmpdir(), 'script-sources-')))
  beforeAll(async () => {
    cpSync(join(import.meta.dirname, 'python'), root, { recursive: true })
    api = await startApi({ SCRIPTS_ROOT: root, DATA_SOURCE_DIRECTORIES: sources, API_VERSION: '4.7' })
    await api.background.runUntilIdle()
    const body = { name: 'North', slug: 'north' }
    region = Number((await api.ask('POST', '/api/dcim/regions/', { body })).json.id)
    await api.ask('POST', '/api/dcim/regions/', { body: { name: 'South', slug: 'south' } })
  })
  afterAll(async () => {
    await api.close()
    for (const directory of [root, sources]) rmSync(directory, { recursive: true })
  })

  const run = async (name: string, data: object, more: object = {}) =>
    await api.ask('POST', `${SCRIPTS}offices.${name}/`, { body: { data, commit: true, ...more } })
  const jobOf = async ({ json }: { readonly json: Document }): Promise<Document> => {
    await api.background.runUntilIdle()
    return (await api.ask('GET', `/api/core/jobs/${json.result?.id}/`)).json
  }

  it('are listed by class, with their variables in the order of field_order', async () => {
    const { json } = await api.ask('GET', SCRIPTS)
    expect(json.results?.map(({ display, description }) => [display, description])).toEqual([
      ['Counts (offices)', 'Counts sites'],
      ['Never (offices)', ''],
      ['OpenOffice (offices)', 'Adds a site'],
      ['Watch (offices)', ''],
    ])
    const { text } = await api.ask('GET', `${SCRIPTS}offices.OpenOffice/`)
    expect(Object.entries(JSON.parse(text).vars).slice(0, 3)).toEqual([
      ['region', 'ObjectVar'],
      ['title', 'StringVar'],
      ['status', 'ChoiceVar'],
    ])
  })

  it('run with cleaned data and defaults, and may import modules of the directory', async () => {
    const answer = await run('OpenOffice', { title: ' Akron ', region, rooms: ['lab'], opening: '2026-03-09' })
    expect(answer.status, answer.text).toBe(200)
    expect(await jobOf(answer)).toMatchObject({
      ...{ name: 'Run Script', status: { value: 'completed' }, notifications: { value: 'on_failure' } },
      data: {
        log: [{ status: 'success', message: 'Opened **Akro**', obj: 'Akron' }],
        output: { floors: 2, opening: '2026-03-09', plan: null, rooms: ['lab'] },
      },
    })
    const { json } = await api.ask('GET', '/api/dcim/sites/?slug=akron')
    expect(json.results).toMatchObject([{ status: { value: 'planned' }, region: { name: 'North' } }])
  })

  it('take files of a multipart form', async () => {
    const body = new FormData()
    body.set('data', JSON.stringify({ title: 'Planned' }))
    body.set('commit', 'false')
    body.set('plan', new File(['four walls'], 'plan.txt'))
    const job = await jobOf(await api.ask('POST', `${SCRIPTS}offices.OpenOffice/`, { body }))
    expect(job.data).toMatchObject({ output: { plan: 'four walls' } })
  })

  it.each<[string, string, object, object, object]>([
    [
      'wrong values, by variable',
      'OpenOffice',
      { title: 'x', status: 'gone', region: 999, floors: 'many', network: '10.0.0.1/24', plan: 'text' },
      {},
      {
        data: {
          region: ['Select a valid choice. That choice is not one of the available choices.'],
          title: ['Ensure this value has at least 3 characters (it has 1).'],
          status: ['Select a valid choice. gone is not one of the available choices.'],
          floors: ['Enter a whole number.'],
          network: ['10.0.0.1/24 is not a valid prefix. Did you mean 10.0.0.0/24?'],
        },
      },
    ],
    ['an interval', 'Never', {}, { interval: 5 }, { interval: ['Scheduling is not enabled for this script.'] }],
    [
      'a limit of time that cannot be read',
      'Never',
      {},
      {},
      {
        detail: [
          "Invalid job_timeout value 'soon': must be an integer (seconds) or a duration string such as '1h' or '30m'.",
        ],
      },
    ],
  ])('refuse %s', async (_what, name, data, more, body) => {
    const { json } = await api.ask('GET', '/api/core/jobs/?limit=1')
    const answer = await run(name, data, more)
    expect([answer.status, answer.json]).toEqual([400, body])
    expect((await api.ask('GET', '/api/core/jobs/?limit=1')).json.count).toBe(json.count)
  })

  it('run again after their interval', async () => {
    await jobOf(await run('OpenOffice', { title: 'Hourly' }, { interval: 60, commit: false }))
    const { json } = await api.ask('GET', '/api/core/jobs/?status=scheduled')
    expect(json).toMatchObject({ count: 1, results: [{ name: 'Run Script', interval: 60 }] })
  })

  it('are started by event rules with their name, notifications and the object as it is', async () => {
    const { json: script } = await api.ask('GET', `${SCRIPTS}offices.Watch/`)
    const rule = await api.ask('POST', '/api/extras/event-rules/', {
      body: {
        ...{ name: 'Watch', object_types: ['dcim.region'], event_types: ['object_created'] },
        ...{ action_type: 'script', action_object_type: 'extras.script', action_object_id: script.id },
      },
    })
    expect(rule.status, rule.text).toBe(201)
    await api.ask('POST', '/api/dcim/regions/', { body: { name: 'East', slug: 'east' } })
    await api.background.runUntilIdle()
    const { json } = await api.ask('GET', '/api/core/jobs/?name=Watch regions')
    expect(json.results).toMatchObject([{ notifications: { value: 'never' }, data: { output: 'East east' } }])
  })

  describe('an upload', () => {
    const upload = async (method: string, path: string, name: string, content: string) => {
      const body = new FormData()
      body.set('file', new File([content], name))
      return await api.ask(method, `${SCRIPTS}upload/${path}`, { body })
    }
    const EMPTY = 'from extras.scripts import Script\nclass Empty(Script):\n    pass\n'

    it('adds scripts, and replaces them by the name of the file', async () => {
      const added = await upload('POST', '', 'added.py', EMPTY)
      expect([added.status, added.json]).toMatchObject([201, { display: 'added', file_path: 'added.py' }])
      const again = await upload('POST', '', 'added.py', EMPTY)
      expect([again.status, again.json]).toEqual([
        400,
        { __all__: ['A script module with this file name already exists.'] },
      ])
      const changed = await upload('PUT', 'added.py/', 'added.py', EMPTY.replace('Empty', 'Full'))
      expect(changed.status, changed.text).toBe(200)
      expect((await api.ask('GET', `${SCRIPTS}added.Full/`)).json).toMatchObject({ is_executable: true })
      expect((await api.ask('GET', `${SCRIPTS}added.Empty/`)).json).toMatchObject({ is_executable: false })
    })

    it.each([
      ['a syntax error', 'class X\n', "Error loading script: expected ':' (wrong.py, line 1)"],
      ['an unknown module', 'import netmiko\n', "Error loading script: No module named 'netmiko'"],
      ['an error', '1 / 0\n', 'Error loading script: division by zero'],
    ])('with %s is refused and leaves nothing behind', async (_what, content, message) => {
      const { status, json } = await upload('POST', '', 'wrong.py', content)
      expect([status, json]).toEqual([400, { __all__: [message] }])
      expect((await upload('POST', '', 'wrong.py', '')).status).toBe(201)
      rmSync(join(root, 'wrong.py'))
    })

    it('may begin with a byte order mark, as may the files of the directory and what they import', async () => {
      const MARK = '\uFEFF'
      writeFileSync(join(root, 'marked_names.py'), `${MARK}NAME = 'marked'\n`)
      const content = `${MARK}from marked_names import NAME\n${EMPTY.replace('pass', 'def run(self, data, commit):\n        return NAME')}`
      const added = await upload('POST', '', 'marked.py', content)
      expect(added.status, added.text).toBe(201)
      const job = await jobOf(await api.ask('POST', `${SCRIPTS}marked.Empty/`, { body: { data: {}, commit: true } }))
      expect(job.data).toMatchObject({ output: 'marked' })
      expect((await checkScripts(api.service, root)).get('marked.py')).toEqual([])
    })

    it('may read the inventory while it is loaded, and is refused with the error of a query that finds nothing', async () => {
      const reading = (name: string) => `
from dcim.models import Region
from extras.scripts import Script

CHOSEN = Region.objects.get(name='${name}')

class Chosen(Script):
    class Meta:
        description = CHOSEN.slug
`
      const added = await upload('POST', '', 'chosen.py', reading('North'))
      expect(added.status, added.text).toBe(201)
      expect((await api.ask('GET', `${SCRIPTS}chosen.Chosen/`)).json).toMatchObject({ description: 'north' })
      const { status, json } = await upload('POST', '', 'missing.py', reading('Nowhere'))
      expect([status, json]).toEqual([
        400,
        { __all__: ['Error loading script: Region matching query does not exist.'] },
      ])
    })

    it('may undo what it has done by AbortTransaction, which is no error', async () => {
      const content = `
from dcim.models import Site
from extras.scripts import Script
from utilities.exceptions import AbortTransaction

class Undo(Script):
    def run(self, data, commit):
        Site.objects.create(name='Undone', slug='undone')
        raise AbortTransaction()
`
      expect((await upload('POST', '', 'undoing.py', content)).status).toBe(201)
      const job = await jobOf(await api.ask('POST', `${SCRIPTS}undoing.Undo/`, { body: { data: {}, commit: true } }))
      expect(job).toMatchObject({
        status: { value: 'completed' },
        data: { log: [{ status: 'info', message: 'Database changes have been reverted automatically.' }] },
      })
      expect((await api.ask('GET', '/api/dcim/sites/?slug=undone')).json.count).toBe(0)
    })

    it('without scripts lists none', async () => {
      expect((await upload('POST', '', 'nothing.py', 'x = 1\n')).status).toBe(201)
      expect((await api.ask('GET', `${SCRIPTS}?q=nothing`)).json.count).toBe(0)
    })
  })

  it('come from data sources and follow them', async () => {
    const write = (name: string) =>
      writeFileSync(
        join(sources, 'sourced.py'),
        `from extras.scripts import Script\nclass ${name}(Script):\n    pass\n`,
      )
    const body = { name: 'Scripts', type: 'local', source_url: sources }
    const { json: source } = await api.ask('POST', '/api/core/data-sources/', { body })
    const synchronise = async () => {
      await api.ask('POST', `/api/core/data-sources/${source.id}/sync/`)
      await api.background.runUntilIdle()
    }
    write('First')
    await synchronise()
    const { json: files } = await api.ask('GET', '/api/core/data-files/')
    const added = await api.ask('POST', `${SCRIPTS}upload/`, {
      body: { data_file: files.results?.[0]?.id, auto_sync_enabled: true },
    })
    expect([added.status, added.json]).toMatchObject([201, { file_path: 'sourced.py' }])
    expect((await api.ask('GET', `${SCRIPTS}sourced.First/`)).json.is_executable).toBe(true)
    write('Second')
    await synchronise()
    expect((await api.ask('GET', `${SCRIPTS}sourced.Second/`)).json.is_executable).toBe(true)
    const { json: document } = await api.ask('GET', '/api/schema/?format=json')
    expect(document.components?.schemas?.ScriptModuleRequest?.properties).toMatchObject({
      ...{ file: { format: 'binary' }, data_file: { type: 'integer' }, auto_sync_enabled: { type: 'boolean' } },
    })
  })

  describe('the pages', () => {
    const pathOf = async (name: string) => {
      const { json } = await api.ask('GET', `${SCRIPTS}offices.${name}/`)
      return `/extras/scripts/${json.id}/run/`
    }

    it('show a form with the field sets, defaults, limits and widgets of the script', async () => {
      const { text } = await api.ask('GET', `${await pathOf('OpenOffice')}?title=Linked`, { headers: html })
      const { values, options } = readForm(text)
      expect([...text.matchAll(/<legend[^>]*>([^<]*)/g)].map(([, legend]) => legend)).toEqual([
        'Office',
        'Numbers',
        'Execution',
      ])
      expect(Object.fromEntries(values)).toMatchObject({
        ...{ title: ['Linked'], status: ['planned'], floors: ['2'], _notifications: ['on_failure'] },
      })
      expect(text).toContain('<h2 dir="auto">Open an office</h2>')
      expect(values.get('_commit')).toBeUndefined()
      expect(values.has('rooms')).toBe(false)
      expect([...(options.get('region')?.entries() ?? [])]).toEqual([
        ...[
          ['', '—'],
          ['null', 'Nowhere'],
          [String(region), 'North'],
        ],
      ])
      expect(text).toMatch(/name="title"[^>]* minlength="3" maxlength="20"/)
      expect(text).toMatch(/name="floors"[^>]* min="1" max="90"/)
      expect(text).toMatch(/name="secret"[^>]* type="password"/)
      expect(text).toMatch(/<textarea [^>]*name="remarks"/)
    })

    it('report wrong values at their fields, and lead from a run to its job', async () => {
      const path = await pathOf('OpenOffice')
      const { values } = readForm((await api.ask('GET', path, { headers: html })).text)
      const send = async (title: string) =>
        await api.ask('POST', path, { body: formData(new Map([...values, ['title', [title]]])), headers: html })
      const refused = await send('x')
      expect(refused.status).toBe(400)
      expect([...readForm(refused.text).errors.keys()]).toEqual(['title'])
      const accepted = await send('From the page')
      expect(accepted.status, accepted.text).toBe(303)
      await api.background.runUntilIdle()
      const { text } = await api.ask('GET', accepted.headers.get('location') ?? '', { headers: html })
      expect(text).toContain('<strong>From</strong>')
      expect(text).toMatch(/<a href="\/dcim\/sites\/\d+\/">From the page<\/a>/)
    })

    it('accept the choice that stands for no object', async () => {
      const path = await pathOf('OpenOffice')
      const { values } = readForm((await api.ask('GET', path, { headers: html })).text)
      const sent = new Map([...values, ['title', ['Off map']], ['region', ['null']], ['_commit', ['true']]])
      const refused = await api.ask('POST', path, {
        body: formData(new Map([...sent, ['title', ['x']]])),
        headers: html,
      })
      expect(readForm(refused.text).values.get('region')).toEqual(['null'])
      expect((await api.ask('POST', path, { body: formData(sent), headers: html })).status).toBe(303)
      await api.background.runUntilIdle()
      expect((await api.ask('GET', '/api/dcim/sites/?slug=off-map')).json.results).toMatchObject([{ region: null }])
    })

    it('upload and replace files of scripts', async () => {
      const list = '/extras/scripts/'
      expect((await api.ask('GET', list, { headers: html })).text).toContain(`href="${list}add/"`)
      const send = async (content: string, more: object = {}) => {
        const page = await api.ask('GET', `${list}add/`, { headers: html })
        const body = formData(readForm(page.text).values)
        for (const [name, value] of Object.entries(more)) body.set(name, value)
        body.set('file', new File([content], 'paged.py'))
        return await api.ask('POST', `${list}add/`, { body, headers: html })
      }
      const scripts = async () =>
        (await api.ask('GET', `${SCRIPTS}?is_executable=true&limit=0`)).json.results?.map(({ display }) => display)
      const file = (name: string) => `from extras.scripts import Script\nclass ${name}(Script):\n    pass\n`
      const added = await send(file('Early'))
      expect(added.status, added.text).toBe(303)
      const { text } = await api.ask('GET', added.headers.get('location') ?? '', { headers: html })
      expect(text).toMatch(/<bdi>Early<\/bdi><\/a><\/th><td data-label="Module"><a[^>]*><bdi>paged<\/bdi>/)
      const again = await send(file('Late'))
      expect([again.status, again.text]).toEqual([400, expect.stringContaining('already exists')])
      expect(await scripts()).toContain('Early (paged)')
      expect((await send(file('Late'), { replace: 'true' })).status).toBe(303)
      expect(await scripts()).toContain('Late (paged)')
      expect(await scripts()).not.toContain('Early (paged)')
      const broken = await send('1 / 0', { replace: 'true' })
      expect([broken.status, broken.text]).toEqual([400, expect.stringContaining('division by zero')])
    })

    it('offer the upload only to those who may add files', async () => {
      const user = await api.make('users/users', { username: 'reader', password: 'A-long-password-1' })
      const view = { name: 'view', object_types: ['extras.script'], actions: ['view'], users: [user] }
      await api.make('users/permissions', view)
      const token = String((await api.ask('POST', '/api/users/tokens/', { body: { user } })).json.key)
      const list = await api.ask('GET', '/extras/scripts/', { headers: html, token })
      expect([list.status, list.text]).toEqual([200, expect.not.stringContaining('scripts/add/')])
      expect((await api.ask('GET', '/extras/scripts/add/', { headers: html, token })).status).toBe(403)
    })

    it('show the tests of a report with their counts and messages', async () => {
      const job = await jobOf(await run('Counts', {}))
      const { text } = await api.ask('GET', `/core/jobs/${job.id}/`, { headers: html })
      expect(text).toMatch(/test_names[\s\S]*Success: 2[\s\S]*has a name[\s\S]*test_regions[\s\S]*Failure: 1/)
    })
  })
})
