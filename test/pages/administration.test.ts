import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../src/sql/fragment.ts'
import { Browser, type PageAnswer } from '../sessions/browser.ts'
import { type Api, startApi } from '../support/api.ts'

const PASSWORD = 'Corr3ct-Horse-Battery'

describe('the pages for administrators', () => {
  let api: Api
  let root: Browser
  let alice: Browser
  beforeAll(async () => {
    api = await startApi()
    await api.ask('POST', '/api/users/users/', { body: { username: 'alice', password: PASSWORD } })
    root = new Browser(api.url)
    await root.logIn('admin', 'admin')
    alice = new Browser(api.url)
    await alice.logIn('alice', PASSWORD)
  })
  afterAll(() => api.close())

  const save = (form: Readonly<Record<string, string>>): Promise<PageAnswer> =>
    root.visit('/core/config-revisions/', {
      form: { csrfmiddlewaretoken: root.cookies.get('csrftoken') ?? '', ...form },
    })

  it.each(['/core/system/', '/core/config-revisions/'])('%s is for superusers', async (path) => {
    expect((await root.visit(path)).status).toBe(200)
    expect((await root.visit('/')).text).toContain(`href="${path}"`)
    expect((await alice.visit(path)).status).toBe(403)
    expect((await alice.visit('/')).text).not.toContain(`href="${path}"`)
  })

  it('the state of the service includes the version of the API that requests get', async () => {
    expect((await root.visit('/core/system/')).text).toContain('4.6 by default; 4.6, 4.7 on request')
  })

  it('the state of the service includes its room, its users and its backups', async () => {
    const value = (text: string, label: string) =>
      new RegExp(`<dt>${label}</dt><dd>(.*?)</dd>`).exec(text)?.[1]?.replaceAll(/<[^>]*>/g, '')
    const before = (await root.visit('/core/system/')).text
    expect(value(before, 'Size of the database')).toMatch(/^[1-9]\d* MiB$/)
    expect(value(before, 'Free in the data directory')).toMatch(/^[\d,]+ [MG]iB$/)
    expect(value(before, 'Active users')).toBe('2')
    expect(value(before, 'Last backup')).toBe('none yet')
    expect(value(before, 'Next backup')).toBe('none is scheduled: set BACKUP_SCHEDULE')
    const job = (status: string, completed: string) => sql`
      insert into core_job (name, status, created, completed, job_id, error, queue_name, notifications, log_entries, is_private, of_service)
      values ('System Backup', ${status}, ${completed}::timestamptz, ${completed}::timestamptz, gen_random_uuid(), '', 'low',
        'always', '{}', false, true)`
    await api.service.database.query(job('completed', '2026-03-04T05:06:00Z'))
    expect(value((await root.visit('/core/system/')).text, 'Last backup')).toBe('2026-03-04 05:06 UTC')
    await api.service.database.query(job('errored', '2026-03-05T05:06:00Z'))
    const after = (await root.visit('/core/system/')).text
    expect(value(after, 'Last backup')).toBe('2026-03-04 05:06 UTC The last attempt failed')
    expect(value(after, 'Ended with an error')).toBe('1')
  })

  it('a changed setting becomes a revision, and an earlier one can be restored', async () => {
    expect((await save({ BANNER_TOP: 'Works on Sunday', comment: 'works' })).status).toBe(303)
    const { text } = await root.visit('/core/config-revisions/')
    expect(text).toContain('value="Works on Sunday"')
    expect(text).toContain('works')
    await save({ BANNER_TOP: 'Monday' })
    const first = /name="restore" value="(\d+)"/.exec((await root.visit('/core/config-revisions/')).text)?.[1]
    await save({ restore: first ?? '' })
    expect((await root.visit('/core/config-revisions/')).text).toContain('value="Works on Sunday"')
  })

  it('switches are check boxes, and a value that equals the default is not stored', async () => {
    const isOn = async () =>
      /<input[^>]*name="MCP_ENABLED"[^>]* checked>/.test((await root.visit('/core/config-revisions/')).text)
    expect(await isOn()).toBe(false)
    await save({ switches: '1', MCP_ENABLED: 'true', GRAPHQL_ENABLED: 'true', JOB_RETENTION: '90' })
    expect(await isOn()).toBe(true)
    const { text } = await root.visit('/core/config-revisions/')
    expect(text).toContain('Keep change records (days)')
    const [, stored = ''] = /<code>(\{.*?\})<\/code>/.exec(text) ?? []
    expect(stored).toContain('MCP_ENABLED')
    expect(stored).not.toContain('JOB_RETENTION')
    await save({ switches: '1', GRAPHQL_ENABLED: 'true' })
    expect(await isOn()).toBe(false)
  })

  it('an invalid value changes nothing', async () => {
    const { status, text } = await save({ PAGINATE_COUNT: 'many' })
    expect(status).toBe(400)
    expect(text).toContain('PAGINATE_COUNT must be')
    expect((await root.visit('/core/config-revisions/')).text).not.toContain('value="many"')
  })
})
