import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Api, startApi } from '../support/api.ts'
import { formData, readForm } from './read-form.ts'

const FILE = `
from dcim.models import Site
from extras.scripts import (
    BooleanVar, ChoiceVar, FileVar, IntegerVar, MultiChoiceVar, ObjectVar, Script, StringVar,
)

class Greeting(Script):
    who = StringVar(max_length=5, label="Whom", description="A short name")
    loud = BooleanVar(default=True)
    size = ChoiceVar(choices=[("s", "Small"), ("l", "Large")], default="l")
    colours = MultiChoiceVar(choices=[("red", "Red"), ("blue", "Blue")], required=False)
    site = ObjectVar(model=Site)
    count = IntegerVar(min_value=1)
    note = FileVar(required=False)

    def run(self, data, commit):
        site = data["site"]
        site.description = "by script"
        site.save()
        self.log_success("greeted")
        return {**data, "site": site.pk, "note": data["note"].read().decode()}

class Manual(Script):
    class Meta:
        scheduling_enabled = False
    def run(self, data, commit):
        return 1
`

/** A file with one script. */
const fileWith = (name: string) => `from extras.scripts import Script\nclass ${name}(Script):\n    pass\n`

let api: Api
let site: number
const root = realpathSync(mkdtempSync(join(tmpdir(), 'script-pages-')))

beforeAll(async () => {
  writeFileSync(join(root, 'things.py'), FILE)
  api = await startApi({ SCRIPTS_ROOT: root, LOG_LEVEL: 'fatal' })
  await api.background.runUntilIdle()
  site = Number((await api.ask('POST', '/api/dcim/sites/', { body: { name: 'Akron', slug: 'akron' } })).json.id)
})
afterAll(async () => {
  await api.close()
  rmSync(root, { recursive: true })
})

const html = { accept: 'text/html' }
const idOf = async (name: string) =>
  Number((await api.ask('GET', `/api/extras/scripts/?name=${name}`)).json.results?.[0]?.id)
const formOf = async (name: string) => {
  const path = `/extras/scripts/${await idOf(name)}/run/`
  return { path, ...readForm((await api.ask('GET', path, { headers: html })).text) }
}

/** Sends the form of the script with these values besides its own. */
async function send(name: string, entered: Readonly<Record<string, readonly (string | Blob)[]>>) {
  const { path, values } = await formOf(name)
  const body = formData(new Map([...values, ...Object.entries(entered)]))
  return await api.ask('POST', path, { body, headers: html })
}

const COMPLETE = () => ({
  who: ['Ann'],
  site: [String(site)],
  count: ['3'],
  colours: ['red', 'blue'],
  note: [new Blob(['content'])],
})

it('the form has a field for each variable, with its default', async () => {
  const { values, options, sentAs } = await formOf('Greeting')
  expect(values.get('loud')).toEqual(['true'])
  expect(values.get('size')).toEqual(['l'])
  expect(options.get('size')?.get('s')).toBe('Small')
  expect([...(options.get('site')?.values() ?? [])]).toContain('Akron')
  expect(sentAs.get('note')).toBe('file')
  expect(values.has('_schedule_at')).toBe(true)
  expect((await formOf('Manual')).values.has('_schedule_at')).toBe(false)
})

it('a run leads to the page of its job, which shows output and messages', async () => {
  const { status, headers, text } = await send('Greeting', COMPLETE())
  expect(status, text).toBe(303)
  const page = headers.get('location') ?? ''
  expect(page).toMatch(/^\/core\/jobs\/\d+\/$/)
  const before = await api.ask('GET', page, { headers: html })
  expect(before.text).toContain('Stop the job')
  await api.background.runUntilIdle()
  const after = await api.ask('GET', page, { headers: html })
  expect(after.text).not.toContain('Stop the job')
  expect(after.text).toMatch(/<h1[^>]*>(<bdi>)?Greeting/)
  const [, again = ''] = /href="([^"]*)">Run again</.exec(after.text) ?? []
  const filled = readForm((await api.ask('GET', again.replaceAll('&amp;', '&'), { headers: html })).text).values
  expect([filled.get('who'), filled.get('site'), filled.get('colours')]).toEqual([
    ['Ann'],
    [String(site)],
    ['red', 'blue'],
  ])
  expect(after.text).toMatch(/<td>Success<\/td><td[^>]*>greeted/)
  const { json } = await api.ask('GET', `/api${page}`)
  expect(json.data?.output).toMatchObject({
    ...{ who: 'Ann', loud: true, size: 'l', colours: ['red', 'blue'] },
    ...{ site, count: 3, note: 'content' },
  })
})

it('the user who ran it finds the end of the job among the notifications, and marks all of them as read', async () => {
  await send('Greeting', COMPLETE())
  await api.background.runUntilIdle()
  const read = async () => (await api.ask('GET', '/user/notifications/', { headers: html })).text
  const before = await read()
  expect(before).toContain('<bdi>Job Run Script completed</bdi>')
  expect(before).toContain('Mark all as read')
  const body = new FormData()
  body.append('action', 'read-all')
  expect((await api.ask('POST', '/user/notifications/', { body, headers: html })).status).toBe(303)
  expect(await read()).not.toContain('Mark all as read')
})

it('without the check mark nothing is saved', async () => {
  await api.ask('PATCH', `/api/dcim/sites/${site}/`, { body: { description: '' } })
  await send('Greeting', { ...COMPLETE(), _commit: [] })
  await api.background.runUntilIdle()
  expect((await api.ask('GET', `/api/dcim/sites/${site}/`)).json.description).toBe('')
})

it('invalid values are reported at their fields, and no job is queued', async () => {
  const jobs = async () => (await api.ask('GET', '/api/core/jobs/?limit=1')).json.count
  const before = await jobs()
  const { status, text } = await send('Greeting', {
    ...COMPLETE(),
    who: ['Annabelle'],
    count: ['0'],
  })
  expect(status).toBe(400)
  const { errors, values } = readForm(text)
  expect([...errors.keys()]).toEqual(['who', 'count'])
  expect(values.get('who')).toEqual(['Annabelle'])
  expect(await jobs()).toEqual(before)
})

it('a job that waits is removed from the queue', async () => {
  const { headers } = await send('Greeting', { ...COMPLETE(), _schedule_at: ['2099-01-01T10:00'] })
  const page = headers.get('location') ?? ''
  const stopped = await api.ask('POST', `${page}stop/`, { body: new FormData(), headers: html })
  expect(stopped.status).toBe(303)
  expect((await api.ask('GET', `/api${page}`)).json.status?.value).toBe('failed')
})

it('users without the permission to run scripts get no form', async () => {
  const { json: user } = await api.ask('POST', '/api/users/users/', {
    body: { username: 'pat', password: 'Long-enough-2026!' },
  })
  await api.ask('POST', '/api/users/permissions/', {
    body: { name: 'see', object_types: ['extras.script'], actions: ['view'], users: [user.id] },
  })
  const { json } = await api.ask('POST', '/api/users/tokens/', {
    body: { user: user.id, version: 1 },
  })
  const token = String(json.token ?? json.key)
  const id = await idOf('Greeting')
  const page = await api.ask('GET', `/extras/scripts/${id}/`, { headers: html, token })
  expect(page.status).toBe(200)
  expect(page.text).not.toContain('/run/')
  const run = await api.ask('GET', `/extras/scripts/${id}/run/`, { headers: html, token })
  expect(run.status).toBe(403)
})

it.each([
  ['cannot be loaded', 'class Fading(', 'The file fading.py cannot be loaded: '],
  ['no longer has the script', fileWith('Solid'), 'no longer contains the script Fading.'],
])('a script whose file %s is not run, and its page says why', async (_what, content, reason) => {
  const file = join(root, 'fading.py')
  const upload = new FormData()
  upload.set('file', new File([fileWith('Fading')], 'fading.py'))
  const { status, json, text } = await api.ask('POST', '/api/extras/scripts/upload/', { body: upload })
  expect(status, text).toBe(201)
  try {
    const id = await idOf('Fading')
    writeFileSync(file, content)
    const page = await api.ask('GET', `/extras/scripts/${id}/run/`, { headers: html })
    expect([page.status, page.text]).toEqual([200, expect.stringContaining(reason)])
    const body = { data: {}, commit: true }
    const refused = await api.ask('POST', `/api/extras/scripts/${id}/`, { body })
    expect([refused.status, refused.json]).toEqual([409, { detail: expect.stringContaining(reason) }])
    expect((await api.ask('GET', `/api/extras/scripts/${id}/`)).status).toBe(200)
  } finally {
    await api.ask('DELETE', `/api/extras/scripts/upload/${json.id}/`)
    rmSync(file, { force: true })
  }
})
