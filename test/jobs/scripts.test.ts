import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { followDirectory } from '../../src/automation/scripts/sync-directory.ts'
import { sql } from '../../src/sql/fragment.ts'
import { insertInto } from '../../src/sql/table.ts'
import { type Api, type Document, startApi, startApiOver } from '../support/api.ts'
import { databaseOfTest } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'

/** Scripts for the tests. */
const FILE = `
import os, socket, subprocess
from dcim.models import Site
from extras.scripts import IntegerVar, ObjectVar, Script, StringVar
from utilities.exceptions import AbortScript

class Hello(Script):
    class Meta:
        description = "says hello"
    who = StringVar(max_length=20)
    n = IntegerVar(min_value=1, max_value=5, default=2)
    site = ObjectVar(model=Site, required=False)

    def run(self, data, commit):
        self.log_debug("dbg")
        self.log_info("info " + data["who"])
        if site := data["site"]:
            site.description = "by script"
            site.save()
            self.log_success("changed", site)
        return f"hello {data['who']} {data['n']}"

class Fails(Script):
    def run(self, data, commit):
        raise ValueError("boom")

class Aborts(Script):
    def run(self, data, commit):
        Site.objects.create(name="half", slug="half")
        raise AbortScript("stop it")

class Loops(Script):
    class Meta:
        job_timeout = 600
    def run(self, data, commit):
        while True:
            pass

class Fills(Script):
    def run(self, data, commit):
        everything = []
        while True:
            everything.append([0] * 100_000)

class Buffers(Script):
    def run(self, data, commit):
        everything = []
        while True:
            everything.append(bytearray(5_000_000))

class Returns(Script):
    size = IntegerVar()
    def run(self, data, commit):
        Site.objects.create(name="returned", slug="returned")
        return "x" * data["size"]

class Throws(Script):
    def run(self, data, commit):
        raise ValueError("x" * 5_000_000)

class Shouts(Script):
    def run(self, data, commit):
        for n in range(20):
            self.log_info("x" * 100_000)

class Reads(Script):
    path = StringVar()
    def run(self, data, commit):
        return open(data["path"]).read()

class Writes(Script):
    path = StringVar()
    def run(self, data, commit):
        open(data["path"], "w").write("x")
        return os.listdir("/")

class Connects(Script):
    def run(self, data, commit):
        socket.create_connection(("127.0.0.1", 1), 2)

class Starts(Script):
    def run(self, data, commit):
        subprocess.check_output(["true"])

class Environment(Script):
    def run(self, data, commit):
        return sorted(name for name in os.environ if name in ("DATABASE_URL", "DATA_DIR", "SCRIPTS_ROOT", "TMPDIR"))

class Talks(Script):
    def run(self, data, commit):
        for n in range(10_050):
            self.log_info(f"n{chr(0)}{n}")
        return chr(0)

class Event(Script):
    def run(self, data, commit):
        return data["name"]

class Manual(Script):
    class Meta:
        scheduling_enabled = False
        notifications_default = "never"
    def run(self, data, commit):
        return 1
`

/** A file with one script, which returns its name. */
const fileWith = (name: string) =>
  `from extras.scripts import Script\nclass ${name}(Script):\n    def run(self, data, commit):\n        return "${name}"\n`

describe('scripts', () => {
  let api: Api
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'scripts-')))
  beforeAll(async () => {
    writeFileSync(join(root, 'things.py'), FILE)
    api = await startApi({ SCRIPTS_ROOT: root, SCRIPTS_MEMORY: '64', LOG_LEVEL: 'fatal' })
    await api.background.runUntilIdle()
  })
  afterAll(async () => {
    await api.close()
    rmSync(root, { recursive: true })
  })

  const idOf = async (name: string) =>
    Number((await api.ask('GET', `/api/extras/scripts/?name=${encodeURIComponent(name)}`)).json.results?.[0]?.id)
  const start = async (name: string, body: object = {}) =>
    await api.ask('POST', `/api/extras/scripts/${await idOf(name)}/`, {
      body: { data: {}, commit: true, ...body },
    })
  /** Runs the script and returns its job. */
  async function run(name: string, body: object = {}): Promise<Document> {
    const answer = await start(name, body)
    expect(answer.status, answer.text).toBe(200)
    const job = answer.json.result
    expect(job).toMatchObject({ name: 'Run Script', status: { value: 'pending' } })
    await api.background.runUntilIdle()
    return (await api.ask('GET', `/api/core/jobs/${job?.id}/`)).json
  }
  const site = async (slug: string) => (await api.ask('POST', '/api/dcim/sites/', { body: { name: slug, slug } })).json
  const count = async (path: string) => (await api.ask('GET', `/api/${path}`)).json.count
  const messages = (job: Document) => job.data?.log?.map(({ message }) => String(message)) ?? []

  describe('the list', () => {
    it('shows the scripts of the directory with their variables', async () => {
      const { json } = await api.ask('GET', '/api/extras/scripts/?name=Hello')
      expect(json.results).toMatchObject([
        {
          ...{ name: 'Hello', description: 'says hello', display: 'Hello (things)', result: null },
          vars: { who: 'StringVar', n: 'IntegerVar', site: 'ObjectVar' },
          is_executable: true,
        },
      ])
    })
  })

  describe('a run', () => {
    it('changes the inventory as the user, and shows what the script has logged', async () => {
      const { id } = await site('one')
      const job = await run('Hello', { data: { who: 'world', site: id } })
      expect(job).toMatchObject({
        status: { value: 'completed' },
        data: { output: 'hello world 2', tests: {} },
      })
      expect(job.data?.log).toMatchObject([
        { status: 'debug', message: 'dbg', obj: null, url: null },
        { status: 'info', message: 'info world' },
        { status: 'success', message: 'changed', obj: 'one' },
      ])
      expect(job.log_entries?.at(-1)).toMatchObject({
        level: 'info',
        message: 'Executing script (commit enabled)',
      })
      const changes = await api.ask('GET', `/api/core/object-changes/?request_id=${job.job_id}`)
      expect(changes.json).toMatchObject({ count: 1, results: [{ user_name: 'admin' }] })
      const detail = await api.ask('GET', `/api/extras/scripts/${await idOf('Hello')}/`)
      expect(detail.json.result).toMatchObject({ id: job.id, data: { output: 'hello world 2' } })
    })

    it('without commit changes nothing', async () => {
      const { id } = await site('two')
      const job = await run('Hello', { data: { who: 'w', site: id }, commit: false })
      expect(job).toMatchObject({ status: { value: 'completed' } })
      expect(messages(job).at(-1)).toBe('Database changes have been reverted automatically.')
      expect((await api.ask('GET', `/api/dcim/sites/${id}/`)).json.description).toBe('')
    })

    it('that fails is errored, and changes nothing', async () => {
      const job = await run('Fails')
      expect(job).toMatchObject({
        status: { value: 'errored' },
        error: "ValueError('boom')",
        data: { output: '' },
      })
      expect(messages(job)[0]).toContain('An exception occurred: `ValueError: boom`')
      expect(messages(job)[0]).toContain('things.py')
      const aborted = await run('Aborts')
      expect(aborted).toMatchObject({
        status: { value: 'errored' },
        error: "AbortScript('stop it')",
      })
      expect(messages(aborted)).toEqual([
        'Script aborted with error: stop it',
        'Database changes have been reverted due to error.',
      ])
      expect(await count('dcim/sites/?slug=half')).toBe(0)
    })

    it('may log and return any text, and no more than ten thousand entries', async () => {
      const job = await run('Talks', { commit: false })
      expect(job).toMatchObject({ status: { value: 'completed' }, data: { output: '\ufffd' } })
      const shown = messages(job)
      expect([shown.length, shown[0], shown[9_999]]).toEqual([10_002, 'n\ufffd0', 'n\ufffd9999'])
      expect(shown[10_000]).toContain('more than 10000 entries or 500000 characters')
    })
  })

  describe('a script may not', () => {
    it.each([
      ['read other files', 'Reads', { path: '/etc/passwd' }],
      ['write files', 'Writes', { path: join(root, 'new') }],
      ['open connections', 'Connects', {}],
      ['start programs', 'Starts', {}],
    ])('%s', async (_, name, data) => {
      expect(await run(name, { data })).toMatchObject({ status: { value: 'errored' } })
    })

    it.each([
      ['in the heap', 'Fills'],
      ['in buffers', 'Buffers'],
    ])('use more memory than SCRIPTS_MEMORY %s', async (_, name) => {
      const job = await run(name)
      expect(job).toMatchObject({ status: { value: 'errored' } })
      expect(job.error).toContain('MemoryError')
    })

    it('return more than can be stored: its writes are then reverted', async () => {
      const job = await run('Returns', { data: { size: 250_000 } })
      expect(job).toMatchObject({ status: { value: 'failed' }, data: { output: '' } })
      expect(job.error).toContain('has 250002 characters as JSON; at most 250000 can be stored')
      expect(await count('dcim/sites/?slug=returned')).toBe(0)
      expect((await run('Returns', { data: { size: 1_000 } })).status?.value).toBe('completed')
    })

    it.each([
      ['errors', 'Throws'],
      ['entries of its log', 'Shouts'],
    ])('make lists of jobs large through its %s', async (_, name) => {
      await run(name)
      const list = await api.ask('GET', '/api/core/jobs/?ordering=-id&limit=1')
      expect(list.text.length).toBeGreaterThan(10_000)
      expect(list.text.length).toBeLessThan(700_000)
    })

    it('see the environment of the service', async () => {
      expect((await run('Environment')).data?.output).toEqual([])
    })
  })

  it('a script that runs can be stopped', async () => {
    const answer = await start('Loops')
    const path = `/api/core/jobs/${answer.json.result?.id}/`
    const status = async () => (await api.ask('GET', path)).json.status?.value
    api.background.start()
    await eventually(async () => expect(await status()).toBe('running'))
    const task = `/api/core/background-tasks/${answer.json.result?.job_id}/stop/`
    expect((await api.ask('POST', task)).status).toBe(200)
    await eventually(async () => expect(await status()).toBe('failed'))
    await api.background.stop()
  })

  it.each([
    [{ commit: undefined }, { commit: ['This field is required.'] }],
    [{ commit: 'maybe' }, { commit: ['Must be a valid boolean.'] }],
    [{ schedule_at: '2000-01-01T00:00:00Z' }, { schedule_at: ['Scheduled time must be in the future.'] }],
    [{ interval: 0 }, { interval: ['Ensure this value is greater than or equal to 1.'] }],
    [{ notifications: 'maybe' }, { notifications: ['"maybe" is not a valid choice.'] }],
  ])('a run with %j is refused', async (body, problems) => {
    const answer = await start('Hello', body)
    expect([answer.status, answer.json]).toEqual([400, problems])
  })

  it('a run can be scheduled if the script allows it', async () => {
    const schedule_at = '2099-01-01T00:00:00Z'
    const answer = await start('Hello', { data: { who: 'x' }, schedule_at, interval: 60, notifications: 'never' })
    expect(answer.json.result).toMatchObject({
      ...{ status: { value: 'scheduled' }, scheduled: schedule_at, interval: 60 },
      notifications: { value: 'never' },
    })
    expect((await start('Manual', { schedule_at })).status).toBe(400)
    expect((await run('Manual')).notifications).toMatchObject({ value: 'never' })
  })

  it('an event rule runs a script as the user who caused the event', async () => {
    const rule = await api.ask('POST', '/api/extras/event-rules/', {
      body: {
        ...{ name: 'on region', object_types: ['dcim.region'], event_types: ['object_created'] },
        ...{ action_type: 'script', action_object_type: 'extras.script' },
        ...{ action_object_id: await idOf('Event') },
      },
    })
    expect(rule.status, rule.text).toBe(201)
    await api.ask('POST', '/api/dcim/regions/', { body: { name: 'R', slug: 'r' } })
    await api.background.runUntilIdle()
    const [job] = (await api.ask('GET', '/api/core/jobs/?ordering=-id&limit=1')).json.results ?? []
    expect(job?.error).toBe('')
    expect(job).toMatchObject({
      ...{ name: 'Event', status: { value: 'completed' }, user: { username: 'admin' } },
      data: { output: 'R' },
    })
  })

  it('a script can be named by its file and its own name', async () => {
    const path = '/api/extras/scripts/things.Manual/'
    expect((await api.ask('GET', path)).json).toMatchObject({
      name: 'Manual',
      id: await idOf('Manual'),
    })
    const answer = await api.ask('POST', path, { body: { data: {}, commit: true } })
    expect([answer.status, answer.json.result?.status?.value]).toEqual([200, 'pending'])
    expect((await api.ask('GET', '/api/extras/scripts/things.Nothing/')).status).toBe(404)
    expect((await api.ask('GET', '/api/dcim/sites/things.Manual/')).status).toBe(404)
    await api.background.runUntilIdle()
  })

  it('counts a script that the user may not run as missing', async () => {
    const user = await api.ask('POST', '/api/users/users/', {
      body: { username: 'ann', password: 'Long-password-1' },
    })
    const made = await api.ask('POST', '/api/users/tokens/', { body: { user: user.json.id } })
    const path = `/api/extras/scripts/${await idOf('Hello')}/`
    const body = { data: { who: 'x' }, commit: false }
    expect((await api.ask('POST', path, { body, token: String(made.json.key) })).status).toBe(404)
  })

  describe('an upload', () => {
    const upload = (method: string, path: string, name: string, content: string) => {
      const body = new FormData()
      body.set('file', new File([content], name))
      return api.ask(method, `/api/extras/scripts/upload/${path}`, { body })
    }

    it('adds a file, and replaces its content', async () => {
      const added = await upload('POST', '', 'added.py', fileWith('Added'))
      expect([added.status, added.json]).toMatchObject([201, { display: 'added', file_path: 'added.py' }])
      expect((await run('Added')).data?.output).toBe('Added')
      const again = await upload('POST', '', 'added.py', fileWith('Added'))
      expect(again.json).toEqual({
        non_field_errors: ['A script module with this file name already exists.'],
      })
      await upload('PUT', `${added.json.id}/`, 'any.py', fileWith('Added').replace('return "Added"', 'return "two"'))
      expect((await run('Added')).data?.output).toBe('two')
    })

    it.each([
      ['a file of another kind', 'x.rb', 'puts 1'],
      ['a file above the directory', '../up.py', 'x'],
      ['a file with a name that is too long', `${'x'.repeat(300)}.py`, fileWith('X')],
      ['a broken file', 'broken.py', 'class X(:'],
    ])('of %s is refused and leaves nothing behind', async (_, name, content) => {
      expect((await upload('POST', '', name, content)).status).toBe(400)
    })

    it.each(['x.ts', 'x.mts', 'x.js', 'x.mjs', 'x.cjs'])('of %s is refused: scripts are in Python', async (name) => {
      const { status, json } = await upload('POST', '', name, 'export const X = { run: () => 1 }')
      const message = `Scripts are written in Python: ${name} cannot run. TypeScript is for plug-ins.`
      expect([status, json]).toEqual([400, { file: [message] }])
      expect(existsSync(join(root, name))).toBe(false)
    })

    it('requires a file', async () => {
      const answer = await api.ask('POST', '/api/extras/scripts/upload/', { body: {} })
      expect([answer.status, answer.json]).toEqual([400, { file: ['No file was submitted.'] }])
    })
  })

  it('a directory that does not exist prevents the start', async () => {
    const database = await databaseOfTest('migrated')
    const started = startApiOver(database, { SCRIPTS_ROOT: join(root, 'nowhere') })
    await expect(started).rejects.toThrow('SCRIPTS_ROOT must be a directory')
  })

  describe('while the directory is being read', () => {
    const upload = (method: string, path: string, name: string, content: string) => {
      const body = new FormData()
      body.set('file', new File([content], name))
      return api.ask(method, `/api/extras/scripts/upload/${path}`, { body })
    }
    /** Reads the directory as at a start, while `work` is done: one of its files takes a while to load. */
    const whileReading = async (slow: string, work: () => Promise<unknown>) => {
      writeFileSync(join(root, 'slow.py'), `import time\ntime.sleep(1.5)\n${slow}`)
      const readings = followDirectory(api.service, { error: () => undefined })
      const read = readings.map(({ turn }) => turn(new AbortController().signal))
      await setTimeout(300)
      await work()
      await Promise.all(read)
    }
    const isExecutable = async (name: string) =>
      (await api.ask('GET', `/api/extras/scripts/?name=${name}`)).json.results?.[0]?.is_executable

    it('uploaded scripts stay executable', async () => {
      await whileReading(fileWith('Slow'), async () => {
        const { status } = await upload('POST', '', 'swift.py', fileWith('Swift'))
        expect(status).toBe(201)
      })
      expect(await isExecutable('Swift')).toBe(true)
      expect((await start('Swift')).status).toBe(200)
    })

    it('the scripts of a replaced file are those of its new content', async () => {
      await whileReading(fileWith('Before'), async () => {
        expect((await upload('PUT', 'slow.py/', 'slow.py', fileWith('After'))).status).toBe(200)
      })
      expect(await isExecutable('After')).toBe(true)
      expect(await isExecutable('Before')).not.toBe(true)
    })
  })

  it('scripts whose file has been removed cannot be run', async () => {
    writeFileSync(join(root, 'passing.py'), fileWith('Passing'))
    await api.background.runUntilIdle()
    rmSync(join(root, 'passing.py'))
    await api.background.runUntilIdle()
    const { json } = await api.ask('GET', '/api/extras/scripts/?name=Passing')
    expect(json.results).toMatchObject([{ is_executable: false }])
    expect((await start('Passing')).status).toBe(503)
  })

  it('scripts of TypeScript files, which earlier versions ran, are not executable and say why', async () => {
    writeFileSync(join(root, 'old.ts'), 'export const Old = { run: () => 1 }')
    const { database } = api.service
    const [module] = await database.query<{ id: number }>(sql`
      ${insertInto('extras.scriptmodule')} (file_path, file_root, created, data_path, auto_sync_enabled)
      values ('old.ts', 'scripts', now(), '', false) returning id`)
    await database.execute(sql`
      ${insertInto('extras.script')} (module_id, name, description, vars, options, is_executable)
      values (${module?.id ?? 0}::bigint, 'Old', '', '{}', '{}', true)`)
    for (const { turn } of followDirectory(api.service, { error: () => undefined })) {
      await turn(new AbortController().signal)
    }
    const { json } = await api.ask('GET', '/api/extras/scripts/?name=Old')
    expect(json.results).toMatchObject([{ is_executable: false }])
    const reason = 'Scripts are written in Python: old.ts cannot run. TypeScript is for plug-ins.'
    const refused = await start('Old')
    expect([refused.status, refused.json]).toEqual([409, { detail: `The script cannot run: ${reason}` }])
    const page = await api.ask('GET', `/extras/scripts/${await idOf('Old')}/run/`, { headers: { accept: 'text/html' } })
    expect(page.text).toContain(reason)
  })
})
