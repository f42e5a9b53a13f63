import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enqueue } from '../../src/automation/jobs/enqueue.ts'
import { sql } from '../../src/sql/fragment.ts'
import { type Api, type Document, startApi } from '../support/api.ts'
import { directoryOfRun } from '../support/directory.ts'
import { TestClock } from '../support/test-clock.ts'

const SCRIPT = `
from extras.scripts import Script
from tenancy.models import Tenant

class Tenants(Script):
    def run(self, data, commit):
        Tenant.objects.create(name='made', slug='made')
`
const HOUR = 3_600_000

/** What happens to the user of a job before it runs. */
const LOSSES = ['nothing', 'deleted', 'deactivated', 'withdrawn'] as const
type Loss = (typeof LOSSES)[number]

const DELETED = 'The user of the job has been deleted.'
const INACTIVE = 'The user of the job is inactive.'

interface Person {
  readonly id: number
  readonly token: string
}

interface Kind {
  readonly name: string
  /** Permissions of the user, without which they cannot start the job: actions by object types. */
  readonly permissions: Readonly<Record<string, readonly string[]>>
  /** Starts the job as this user, and returns its id. */
  readonly start: (person: Person, mark: string) => Promise<unknown>
  /** Status and error of the job by what has happened to its user; undefined: there is none. */
  readonly ends: Readonly<Record<Loss, readonly [status: string, error: string]>>
}

describe('a job whose user has lost their rights before it runs', () => {
  const clock = new TestClock()
  const root = join(directoryOfRun(), 'users-of-jobs')
  let api: Api
  let script: number
  beforeAll(async () => {
    for (const folder of ['scripts', 'files']) mkdirSync(join(root, folder), { recursive: true })
    writeFileSync(join(root, 'scripts', 'tenants.py'), SCRIPT)
    writeFileSync(join(root, 'files', 'file.txt'), 'text')
    const environment = { SCRIPTS_ROOT: join(root, 'scripts'), DATA_SOURCE_DIRECTORIES: join(root, 'files') }
    api = await startApi({ ...environment, LOG_LEVEL: 'fatal' }, undefined, clock)
    await api.background.runUntilIdle()
    script = Number((await api.ask('GET', '/api/extras/scripts/?name=Tenants')).json.results?.[0]?.id)
  })
  afterAll(() => api.close())

  const later = () => new Date(clock.now() + HOUR).toISOString()
  const source = (mark: string, more = {}) =>
    api.make('core/data-sources', { name: mark, type: 'local', source_url: join(root, 'files'), ...more })

  /** The response to a request that starts a job. */
  async function asked({ token }: Person, path: string, body: unknown): Promise<Document> {
    const { status, text, json } = await api.ask('POST', path, { body, token })
    expect([200, 201, 202], text).toContain(status)
    return json
  }
  const jobOf = async (query: string) =>
    (await api.ask('GET', `/api/core/jobs/?ordering=-id&limit=1&${query}`)).json.results?.[0]?.id

  const all = (status: string, error = '') => [status, error] as const
  const ofUser = (withdrawn: readonly [string, string]) => ({
    nothing: all('completed'),
    deleted: all('failed', DELETED),
    deactivated: all('failed', INACTIVE),
    withdrawn,
  })
  const lost = (action: string, label: string) =>
    all('failed', `The user of the job no longer has the permission "${action}" for this ${label}.`)
  const TENANTS = { 'tenancy.tenant': ['view', 'add', 'delete'] }
  const RUN = { 'extras.script': ['view', 'run'], ...TENANTS }

  const KINDS: readonly Kind[] = [
    {
      name: 'a script at once',
      permissions: RUN,
      start: async (person) =>
        (await asked(person, `/api/extras/scripts/${script}/`, { data: {}, commit: true })).result?.id,
      ends: ofUser(lost('run', 'script')),
    },
    {
      name: 'a script at a time',
      permissions: RUN,
      start: async (person) => {
        const body = { data: {}, commit: true, schedule_at: later() }
        return (await asked(person, `/api/extras/scripts/${script}/`, body)).result?.id
      },
      ends: ofUser(lost('run', 'script')),
    },
    {
      name: 'a script that an event rule starts, which needs no permission to run it',
      permissions: { 'dcim.site': ['view', 'add'], ...TENANTS },
      start: async (person, mark) => {
        const rule = await api.make('extras/event-rules', {
          ...{ name: mark, object_types: ['dcim.site'], event_types: ['object_created'] },
          ...{ action_type: 'script', action_object_type: 'extras.script', action_object_id: script },
        })
        await asked(person, '/api/dcim/sites/', { name: mark, slug: mark })
        await api.ask('PATCH', `/api/extras/event-rules/${rule}/`, { body: { enabled: false } })
        return undefined
      },
      // The event comes before the job: without its user, the rule starts no script.
      ends: {
        ...ofUser(all('errored', "PermissionDenied('You do not have permission to perform this action.')")),
        deleted: all('', ''),
      },
    },
    {
      name: 'a synchronisation',
      permissions: { 'core.datasource': ['view', 'sync'] },
      start: async (person, mark) => {
        const id = await source(mark)
        await asked(person, `/api/core/data-sources/${id}/sync/`, {})
        return await jobOf(`object_id=${id}`)
      },
      ends: ofUser(lost('sync', 'data source')),
    },
    {
      name: 'the synchronisation that a data source repeats, which belongs to the service',
      permissions: { 'core.datasource': ['view', 'add'] },
      start: async (person, mark) => {
        const body = { name: mark, type: 'local', source_url: join(root, 'files'), sync_interval: 60 }
        const { id } = await asked(person, '/api/core/data-sources/', body)
        return await jobOf(`object_id=${id}`)
      },
      ends: {
        nothing: all('completed'),
        deleted: all('completed'),
        deactivated: all('completed'),
        withdrawn: all('completed'),
      },
    },
    {
      name: 'a request in the background',
      permissions: { 'dcim.region': ['view', 'add'] },
      start: async (person, mark) =>
        (await asked(person, '/api/dcim/regions/?background=true', { name: mark, slug: mark })).job?.id,
      ends: ofUser(all('failed', 'The request was refused with 403.')),
    },
    {
      name: 'a scheduled merge',
      permissions: { 'core.branch': ['view', 'merge'] },
      start: async (person, mark) => {
        const branch = await api.make('core/branches', { name: mark })
        return (await asked(person, `/api/core/branches/${branch}/merge/`, { schedule_at: later() })).id
      },
      ends: ofUser(all('failed', 'The request was refused with 403.')),
    },
    {
      name: 'an import from a service',
      permissions: {},
      start: async ({ id }) => {
        const { database } = api.service
        await database.execute(sql`update users_user set is_superuser = true where id = ${id}::bigint`)
        const request = { kind: 'import', name: 'Import', user: id, parameters: { source: 'http://127.0.0.1:9/' } }
        return (await enqueue(database, api.service, request)).id
      },
      ends: {
        ...ofUser(all('failed', 'Only superusers may import from a service.')),
        nothing: all('failed', 'The token cannot be decrypted any more: start the import again.'),
      },
    },
  ]

  let count = 0
  const cases = KINDS.flatMap((kind) => LOSSES.map((loss) => [kind.name, loss, kind] as const))
  it.each(cases)('%s: %s', async (_, loss, { permissions, start, ends }) => {
    const mark = `user${++count}`
    const id = await api.make('users/users', { username: mark, password: 'A-long-password-1' })
    const { json } = await api.ask('POST', '/api/users/tokens/', { body: { user: id, version: 1 } })
    const granted = await Promise.all(
      Object.entries({ 'core.job': ['view'], ...permissions }).map(([type, actions]) =>
        api.make('users/permissions', { name: `${mark} ${type}`, object_types: [type], actions, users: [id] }),
      ),
    )
    const before = Number((await jobOf('name=Tenants')) ?? 0)
    const job = await start({ id, token: String(json.key) }, mark)

    const user = `/api/users/users/${id}/`
    if (loss === 'deleted') expect((await api.ask('DELETE', user)).status).toBe(204)
    if (loss === 'deactivated') await api.ask('PATCH', user, { body: { is_active: false } })
    if (loss === 'withdrawn') {
      await api.service.database.execute(sql`update users_user set is_superuser = false where id = ${id}::bigint`)
      for (const permission of granted) await api.ask('DELETE', `/api/users/permissions/${permission}/`)
    }
    clock.advance(2 * HOUR)
    await api.background.runUntilIdle()

    const ended = (
      await api.ask('GET', `/api/core/jobs/${job ?? (await jobOf(`name=Tenants&id__gt=${before}`)) ?? 0}/`)
    ).json
    expect([ended.status?.value ?? '', ended.error ?? '']).toEqual(ends[loss])
    const made = (await api.ask('GET', '/api/tenancy/tenants/?slug=made')).json
    const isMade = ends[loss][0] === 'completed' && 'tenancy.tenant' in permissions
    expect(made.count).toBe(isMade ? 1 : 0)
    for (const tenant of made.results ?? []) await api.ask('DELETE', `/api/tenancy/tenants/${tenant.id}/`)
  })

  it.each<[Loss, number]>([
    ['nothing', 1],
    ['deleted', 0],
    ['deactivated', 1],
  ])('is repeated unless the user has been deleted: %s', async (loss, repeated) => {
    const id = await api.make('users/users', { username: `again-${loss}`, password: 'A-long-password-1' })
    const request = { kind: 'script', name: `again-${loss}`, user: id, parameters: null, interval: 60 }
    await enqueue(api.service.database, api.service, request)
    if (loss === 'deleted') await api.ask('DELETE', `/api/users/users/${id}/`)
    if (loss === 'deactivated') await api.ask('PATCH', `/api/users/users/${id}/`, { body: { is_active: false } })
    await api.background.runUntilIdle()
    const path = `/api/core/jobs/?status=scheduled&name=${encodeURIComponent(request.name)}`
    expect((await api.ask('GET', path)).json.count).toBe(repeated)
  })
})
