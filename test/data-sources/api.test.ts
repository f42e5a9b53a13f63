import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scheduleAll } from '../../src/automation/data-sources/schedule.ts'
import { DATA_SOURCE_JOB, sourceObject } from '../../src/automation/data-sources/sync-request.ts'
import { unschedule } from '../../src/automation/jobs/enqueue.ts'
import { sql } from '../../src/sql/fragment.ts'
import { table } from '../../src/sql/table.ts'
import { type Api, startApi } from '../support/api.ts'
import { writeTree } from '../support/git-repository.ts'

describe('data sources', () => {
  let api: Api
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cadastre-sources-'))
    api = await startApi({ DATA_SOURCE_DIRECTORIES: folder })
  })
  afterAll(async () => {
    await api.close()
    await rm(folder, { recursive: true })
  })

  const create = async (endpoint: string, body: object) => {
    const { status, json, text } = await api.ask('POST', `/api/${endpoint}/`, { body })
    expect(status, text).toBe(201)
    return json
  }
  const get = async (path: string) => (await api.ask('GET', path)).json
  /** A source with its own directory, which `write` fills. */
  const makeSource = async (name: string, more: object = {}) => {
    const directory = join(folder, name)
    const body = { name, type: 'local', source_url: directory, ...more }
    const { id } = await create('core/data-sources', body)
    const path = `/api/core/data-sources/${id}/`
    return {
      path,
      id: Number(id),
      write: (files: Readonly<Record<string, string>>) => writeTree(directory, files),
      sync: async () => {
        const answer = await api.ask('POST', `${path}sync/`)
        expect(answer.status, answer.text).toBe(200)
        await api.background.runUntilIdle()
        return answer.json
      },
      files: async () => {
        const { results } = await get(`/api/core/data-files/?source_id=${id}`)
        return (results ?? []).map(({ id, path, size, hash }) => ({ id, path, size, hash }))
      },
      jobs: async () =>
        (await get(`/api/core/jobs/?object_type=core.datasource&object_id=${id}&ordering=id`)).results ?? [],
    }
  }

  it('a synchronisation creates, updates and deletes files, each with its size and hash', async () => {
    const source = await makeSource('diff', { ignore_rules: '*.tmp' })
    await source.write({ 'a.txt': 'hello\n', 'deep/b.txt': 'b', 'c.tmp': 'x', 'old.txt': 'x' })
    const answer = await source.sync()
    expect([answer.status?.value, 'file_count' in answer]).toEqual(['new', false])
    expect(await get(source.path)).toMatchObject({
      status: { value: 'completed' },
      file_count: 3,
      last_synced: expect.any(String),
    })
    const [first, second, third] = await source.files()
    expect([first, second, third]).toMatchObject([
      {
        path: 'a.txt',
        size: 6,
        hash: '5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03',
      },
      { path: 'deep/b.txt', size: 1 },
      { path: 'old.txt', size: 1 },
    ])
    await source.write({ 'a.txt': 'changed', 'deep/b.txt': 'b', 'new.txt': 'n' })
    await source.sync()
    expect(await source.files()).toEqual([
      { ...first, size: 7, hash: expect.not.stringMatching(String(first?.hash)) },
      second,
      expect.objectContaining({ path: 'new.txt', size: 1 }),
    ])
  })

  it('the job of a synchronisation shows its result', async () => {
    const source = await makeSource('report')
    await source.write({ 'a.txt': 'a' })
    await source.sync()
    const [job] = await source.jobs()
    expect(job).toMatchObject({
      name: 'Synchronization',
      status: { value: 'completed' },
      object: { id: source.id },
      user: { username: 'admin' },
    })
    expect((job?.log_entries ?? []).map(({ level, message }) => [level, message])).toEqual([
      ['debug', `Found DataSource ID ${source.id}`],
      ['info', 'Syncing data source report'],
      ['debug', '1 files: 1 created, 0 updated, 0 deleted'],
      ['info', 'Syncing completed successfully'],
    ])
  })

  it('a source that cannot be read fails and keeps its files', async () => {
    const source = await makeSource('failing')
    await source.write({ 'a.txt': 'a' })
    await source.sync()
    for (const source_url of ['/etc', join(folder, 'nothing')]) {
      await api.ask('PATCH', source.path, { body: { source_url } })
      await source.sync()
      expect((await get(source.path)).status?.value).toBe('failed')
      expect(await source.files()).toHaveLength(1)
      const job = (await source.jobs()).at(-1)
      expect([job?.status?.value, String(job?.error)]).toEqual(['errored', expect.stringMatching(/^SyncError/)])
    }
  })

  it('objects with automatic synchronisation get the new content of their files', async () => {
    const source = await makeSource('followed')
    await source.write({ 't.j2': 'one', 'c.yaml': 'ntp: [a]', 'bad.json': '{"a":' })
    await source.sync()
    const files = new Map((await source.files()).map(({ id, path }) => [String(path), id]))
    const template = await create('extras/config-templates', {
      name: 'followed',
      template_code: 'own',
      data_file: files.get('t.j2'),
      auto_sync_enabled: true,
    })
    const contexts = ['c.yaml', 'bad.json'].map((path) =>
      create('extras/config-contexts', {
        name: path,
        data: { own: true },
        data_file: files.get(path),
        auto_sync_enabled: true,
      }),
    )
    const [context, bad] = await Promise.all(contexts)
    const left = await create('extras/config-templates', {
      name: 'left',
      template_code: 'own',
      data_file: files.get('t.j2'),
    })
    await source.write({ 't.j2': 'two', 'c.yaml': 'ntp: [b]', 'bad.json': '{"b":' })
    await source.sync()
    const shown = async (endpoint: string, id: unknown) => get(`/api/extras/${endpoint}/${id}/`)
    expect(await shown('config-templates', template.id)).toMatchObject({
      template_code: 'two',
      data_synced: expect.any(String),
    })
    expect((await shown('config-contexts', context?.id)).data).toEqual({ ntp: ['b'] })
    expect((await shown('config-contexts', bad?.id)).data).toEqual({ own: true })
    expect((await shown('config-templates', left.id)).template_code).toBe('own')
    const job = (await source.jobs()).at(-1)
    expect(job?.status?.value).toBe('completed')
    expect((job?.log_entries ?? []).filter(({ level }) => String(level) === 'warning')).toHaveLength(1)

    const records = `/api/core/object-changes/?changed_object_id=${template.id}&action=update`
    const before = await get(records)
    expect(before.results?.[0]?.postchange_data?.template_code).toBe('two')
    await source.sync()
    expect((await get(records)).count).toEqual(before.count)
  })

  it('an object gets the content of a file when it begins to follow the file', async () => {
    const source = await makeSource('switched')
    await source.write({ 'a.json': '{"a":1}', 'b.json': '{"b":2}', 'bad.json': '[1]' })
    await source.sync()
    const files = new Map((await source.files()).map(({ id, path }) => [String(path), id]))
    const { id } = await create('extras/config-contexts', { name: 's', data: { x: 1 } })
    const patch = async (body: object) => (await api.ask('PATCH', `/api/extras/config-contexts/${id}/`, { body })).json
    expect((await patch({ data_file: files.get('a.json') })).data).toEqual({ a: 1 })
    expect((await patch({ data: { own: 1 } })).data).toEqual({ a: 1 })
    expect(Object.keys(await patch({ data_file: files.get('bad.json') }))).toEqual(['data_file'])
    expect((await patch({ data_file: files.get('b.json') })).data).toEqual({ b: 2 })
  })

  it('several objects get the content of their files together, or none does', async () => {
    const source = await makeSource('several')
    await source.write({ 'a.json': '{"a":1}', 'b.json': '{"b":1}' })
    await source.sync()
    const files = await source.files()
    const ids = await Promise.all(
      files.map(async ({ id }, index) => {
        const body = { name: `several ${index}`, data: { own: true }, data_file: id }
        return String((await create('extras/config-contexts', body)).id)
      }),
    )
    const synchronise = () => {
      const body = new FormData()
      for (const id of ids) body.append('id', id)
      const headers = { accept: 'text/html' }
      return api.ask('POST', '/extras/config-contexts/sync/', { body, headers })
    }
    const shown = async () =>
      (await get('/api/extras/config-contexts/?name__isw=several')).results?.map(({ data }) => data)
    await source.write({ 'a.json': '{"a":2}', 'b.json': '[2]' })
    await source.sync()
    expect((await synchronise()).status).toBe(400)
    expect(await shown()).toEqual([{ own: true }, { own: true }])
    await source.write({ 'a.json': '{"a":2}', 'b.json': '{"b":3}' })
    await source.sync()
    expect((await synchronise()).status).toBe(303)
    expect(await shown()).toEqual([{ a: 2 }, { b: 3 }])
    const changes = await get('/api/core/object-changes/?changed_object_type=extras.configcontext&limit=2')
    expect(new Set(changes.results?.map(({ request_id }) => String(request_id))).size).toBe(1)
  })

  it('a source with an interval is synchronised at once and then repeatedly', async () => {
    const source = await makeSource('scheduled', { sync_interval: 60 })
    const statuses = async () => (await source.jobs()).map(({ status }) => status?.value)
    expect((await get(source.path)).status?.value).toBe('queued')
    await source.write({ 'a.txt': 'a' })
    await api.background.runUntilIdle()
    expect((await get(source.path)).file_count).toBe(1)
    expect(await statuses()).toEqual(['completed', 'scheduled'])
    const [first, next] = await source.jobs()
    const minutes = (Date.parse(String(next?.scheduled)) - Date.parse(String(first?.started))) / 60_000
    expect([next?.interval, minutes]).toEqual([60, 60])

    await api.ask('PATCH', source.path, { body: { description: 'another' } })
    expect(await statuses()).toEqual(['completed', 'scheduled'])
    await api.ask('PATCH', source.path, { body: { enabled: false } })
    expect(await statuses()).toEqual(['completed'])
    await api.ask('PATCH', source.path, { body: { enabled: true } })
    expect(await statuses()).toEqual(['completed', 'pending'])
    expect((await api.ask('DELETE', source.path)).status).toBe(204)
    await api.background.runUntilIdle()
  })

  it('a source with an interval but no job is scheduled at the next start', async () => {
    const source = await makeSource('imported', { sync_interval: 60 })
    await source.write({})
    await api.background.runUntilIdle()
    const waiting = async () => (await source.jobs()).filter(({ status }) => String(status?.value) === 'scheduled')
    await unschedule(api.service.database, {
      kind: DATA_SOURCE_JOB,
      object: sourceObject(source.id),
    })
    expect(await waiting()).toEqual([])
    const settings = { ...api.service.settings, jobWorkers: 0 }
    await scheduleAll({ ...api.service, settings })
    expect(await waiting()).toEqual([])
    await scheduleAll(api.service)
    await scheduleAll(api.service)
    const [job, ...others] = await waiting()
    const minutes = (Date.parse(String(job?.scheduled)) - Date.now()) / 60_000
    expect([others.length, Math.round(minutes)]).toEqual([0, 60])
  })

  it('secrets are encrypted in the database and masked everywhere else', async () => {
    const parameters = { username: 'u', password: 'very secret', branch: 'b' }
    const source = await makeSource('secret', {
      type: 'git',
      source_url: 'https://git.example.com/x',
      parameters,
    })
    const masked = { ...parameters, password: '********' }
    const stored = async () => {
      const [row] = await api.service.database.query<{ text: string }>(sql`
        select row_to_json(t)::text as text from ${table('core.datasource')} t where id = ${source.id}::bigint`)
      return row?.text ?? ''
    }
    expect((await get(source.path)).parameters).toEqual(masked)
    const before = await stored()
    expect(before).not.toContain('very secret')

    const patch = async (body: object) => await api.ask('PATCH', source.path, { body })
    const branched = await patch({ parameters: { ...masked, branch: 'c' } })
    expect(branched.json.parameters).toEqual({ ...masked, branch: 'c' })
    const sealed = (text: string) => JSON.parse(text).sealed_parameters?.password
    expect(sealed(await stored())).toBe(sealed(before))
    await patch({ parameters: { ...masked, password: 'top secret' } })
    expect(sealed(await stored())).not.toBe(sealed(before))

    const elsewhere = await patch({ source_url: 'https://other.example.com/x' })
    expect([elsewhere.status, Object.keys(elsewhere.json)]).toEqual([400, ['parameters']])
    expect((await patch({ source_url: 'https://git.example.com/y' })).status).toBe(200)
    const changes = await api.ask('GET', '/api/core/object-changes/')
    expect(changes.text).not.toMatch(/very secret|top secret/)
    expect((await patch({ parameters: null })).json.parameters).toBeNull()
    expect(sealed(await stored())).toBeUndefined()
  })

  it.each([
    ['a local source with a remote URL', { source_url: 'https://a/' }, 'source_url'],
    ['a password in the URL', { type: 'git', source_url: 'https://u:p@a/x' }, 'source_url'],
    ['parameters that are not an object', { parameters: ['x'] }, 'parameters'],
    ['a password that is not a text', { parameters: { password: 1 } }, 'parameters'],
    ['a mask without a stored secret', { parameters: { password: '********' } }, 'parameters'],
  ])('%s is refused', async (name, body, field) => {
    const answer = await api.ask('POST', '/api/core/data-sources/', {
      body: { name, type: 'local', source_url: '/x', ...body },
    })
    expect([answer.status, Object.keys(answer.json)]).toEqual([400, [field]])
  })
})
