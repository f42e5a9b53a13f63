import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Browser } from '../sessions/browser.ts'
import { type Api, startApi } from '../support/api.ts'
import { TestClock } from '../support/test-clock.ts'

const SCRIPTS = `
from dcim.models import Site
from extras.scripts import Script
from utilities.exceptions import AbortScript

class NoSecrets(Script):
    def run(self, data, commit):
        count = Site.objects.filter(facility="secret").count()
        Site.objects.create(name="Made by the check", slug="made")
        if count > 0:
            raise AbortScript("There is a secret.")
        return count
`
const HOUR = 3_600_000

/** Ann prepares the changes, Cid may merge them, and only the policies of a test are in force. */
describe('a merge', () => {
  let api: Api
  let site: number
  const clock = new TestClock()
  const tokens = { cid: 'c'.repeat(40), eve: 'e'.repeat(40) }
  const users = new Map<string, number>()
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'checks-')))
  beforeAll(async () => {
    writeFileSync(join(root, 'checks.py'), SCRIPTS)
    const environment = { SCRIPTS_ROOT: root, LOG_LEVEL: 'fatal' } as const
    api = await startApi(environment, pino.destination(1), clock)
    await api.background.runUntilIdle()
    site = await api.make('dcim/sites', { name: 'Amsterdam', slug: 'ams' })
    for (const [username, key] of Object.entries(tokens)) {
      const user = await api.make('users/users', { username, password: 'Long-enough-1' })
      await api.make('users/tokens', { user, key, version: 1, token: key })
      users.set(username, user)
    }
    await allow('cid', ['core.branch'], ['view', 'merge', 'sync'])
    await allow('cid', ['core.changerequest', 'dcim.site', 'core.job', 'extras.script'], ['view'])
  })
  afterAll(async () => {
    await api.close()
    rmSync(root, { recursive: true })
  })

  const allow = (user: string, object_types: readonly string[], actions: readonly string[]) =>
    api.make('users/permissions', { name: 'p', users: [users.get(user)], object_types, actions })
  let count = 0
  const branchOff = async (facility = `F${++count}`) => {
    const { json } = await api.ask('POST', '/api/core/branches/', { body: { name: `Branch ${facility}` } })
    const headers = { 'X-NetBox-Branch': String(json.schema_id) }
    const write = (body: object) => api.ask('PATCH', `/api/dcim/sites/${site}/`, { body, headers })
    expect((await write({ facility })).status).toBe(200)
    return { id: Number(json.id), headers, facility, write }
  }
  type Branch = Awaited<ReturnType<typeof branchOff>>
  const act = (branch: Branch, action: string, body: object = {}, token?: string) =>
    api.ask('POST', `/api/core/branches/${branch.id}/${action}/`, { body, ...(token && { token }) })
  const facility = async () => (await api.ask('GET', `/api/dcim/sites/${site}/`)).json.facility
  const statusOf = async ({ id }: Branch) => (await api.ask('GET', `/api/core/branches/${id}/`)).json.status?.value
  const withPolicy = async (values: object, work: () => Promise<void>): Promise<void> => {
    const body = { name: `P${++count}`, object_types: ['dcim.site'], author_may_approve: true, ...values }
    const policy = await api.make('core/change-policies', body)
    try {
      await work()
    } finally {
      await api.ask('DELETE', `/api/core/change-policies/${policy}/`)
    }
  }
  const visit = async (username: string, path: string, fields?: Record<string, string>) => {
    const browser = new Browser(api.url)
    await browser.logIn(username, username === 'admin' ? 'admin' : 'Long-enough-1')
    const page = await browser.visit(path)
    if (!fields) return page
    const [, csrfmiddlewaretoken = ''] = /name="csrfmiddlewaretoken" value="([^"]*)"/.exec(page.text) ?? []
    return await browser.visit(path, { form: { csrfmiddlewaretoken, ...fields } })
  }
  const pageOf = async (username: string, path: string): Promise<string> => {
    const { status, text } = await visit(username, path)
    expect(status, text).toBe(200)
    return text
  }

  describe('that is only tried', () => {
    it('shows what would change, and changes nothing', async () => {
      const branch = await branchOff()
      const before = await facility()
      const { status, json } = await act(branch, 'merge', { commit: false })
      expect([status, json.status?.value, json.error]).toEqual([200, 'completed', ''])
      expect(json.data).toMatchObject({ commit: false, status: 200, conflicts: [] })
      expect(json.data?.changed).toContainEqual(
        expect.objectContaining({ object_type: 'dcim.site', id: site, fields: ['facility'] }),
      )
      expect(json.data?.changes).toContainEqual(expect.objectContaining({ changed_object_id: site }))
      expect([await facility(), await statusOf(branch)]).toEqual([before, 'ready'])
      const listed = await api.ask('GET', `/api/core/jobs/${json.id}/`)
      expect(listed.json.data).toEqual(json.data)
      expect((await act(branch, 'merge')).status).toBe(200)
      expect(await facility()).toBe(branch.facility)
    })

    it.each<[string, string, (branch: Branch) => Promise<unknown>, number, string]>([
      [
        'a conflict',
        'merge',
        (branch) => api.ask('PATCH', `/api/dcim/sites/${site}/`, { body: { facility: `main ${branch.id}` } }),
        409,
        'have changed the same fields',
      ],
      [
        'a conflict of a synchronisation',
        'sync',
        (branch) => api.ask('PATCH', `/api/dcim/sites/${site}/`, { body: { facility: `sync ${branch.id}` } }),
        409,
        'have changed the same fields',
      ],
      [
        'a unique value that main has taken',
        'merge',
        async (branch) => {
          const body = { name: `Taken ${branch.id}`, slug: `taken-${branch.id}` }
          await api.ask('POST', '/api/dcim/sites/', { body, headers: branch.headers })
          await api.ask('POST', '/api/dcim/sites/', { body })
        },
        409,
        'Taken',
      ],
    ])('says that it would be refused because of %s', async (_, action, prepare, status, message) => {
      const branch = await branchOff()
      await prepare(branch)
      const { status: answered, text, json } = await act(branch, action, { commit: false })
      expect([answered, json.status?.value, json.error], text).toEqual([
        ...[200, 'failed', `The request would be refused with ${status}.`],
      ])
      expect(json.data).toMatchObject({ status, commit: false })
      expect(JSON.stringify(json.data?.result)).toContain(message)
      expect(await statusOf(branch)).toBe('ready')
      const dry = await api.ask('POST', `/api/core/branches/${branch.id}/${action}/?dry_run=true`, { body: {} })
      expect([dry.status, dry.json.status, dry.json.dry_run]).toEqual([200, status, true])
    })
  })

  describe('that is scheduled', () => {
    const schedule = (branch: Branch, hours: number, token?: string) =>
      act(branch, 'merge', { schedule_at: new Date(clock.now() + hours * HOUR).toISOString() }, token)

    it('happens at its time', async () => {
      const branch = await branchOff()
      const { status, text, json } = await schedule(branch, 1)
      expect([status, json.status?.value], text).toEqual([200, 'scheduled'])
      expect(await pageOf('admin', `/core/branches/${branch.id}/`)).toContain('The branch will be merged at')
      await api.background.runUntilIdle()
      expect(await statusOf(branch)).toBe('ready')
      clock.advance(2 * HOUR)
      await api.background.runUntilIdle()
      expect([await statusOf(branch), await facility()]).toEqual(['merged', branch.facility])
      expect((await api.ask('GET', `/api/core/jobs/${json.id}/`)).json.status?.value).toBe('completed')
    })

    it('can be started on the page', async () => {
      const branch = await branchOff()
      const time = new Date(clock.now() + HOUR).toISOString().slice(0, 16)
      const { status } = await visit('admin', `/core/branches/${branch.id}/merge/`, { schedule_at: time, override: '' })
      expect([status, await statusOf(branch)]).toEqual([303, 'ready'])
      clock.advance(2 * HOUR)
      await api.background.runUntilIdle()
      expect(await statusOf(branch)).toBe('merged')
    })

    it.each<[string, (branch: Branch) => Promise<unknown>]>([
      ['by the API', ({ id }) => api.ask('DELETE', `/api/core/branches/${id}/merge/`)],
      ['on the page', ({ id }) => visit('admin', `/core/branches/${id}/merge/`, { _cancel: '1' })],
      [
        'in the queue',
        async ({ id }) => {
          const { json } = await api.ask('GET', `/api/core/jobs/?object_id=${id}&status=scheduled`)
          await api.ask('POST', `/api/core/background-tasks/${json.results?.[0]?.job_id}/delete/`)
        },
      ],
    ])('gets another time, or is canceled %s', async (_, cancel) => {
      const branch = await branchOff()
      const first = Number((await schedule(branch, 1)).json.id)
      await schedule(branch, 3)
      expect((await api.ask('GET', `/api/core/jobs/${first}/`)).status).toBe(404)
      await cancel(branch)
      clock.advance(4 * HOUR)
      await api.background.runUntilIdle()
      expect(await statusOf(branch)).toBe('ready')
      expect(await pageOf('admin', `/core/branches/${branch.id}/`)).not.toContain('The branch will be merged at')
    })

    it('is forgotten when its branch is deleted', async () => {
      const branch = await branchOff()
      const job = Number((await schedule(branch, 1)).json.id)
      expect((await api.ask('DELETE', `/api/core/branches/${branch.id}/`)).status).toBe(204)
      expect((await api.ask('GET', `/api/core/jobs/${job}/`)).status).toBe(404)
      clock.advance(2 * HOUR)
      await api.background.runUntilIdle()
      expect((await api.ask('GET', `/api/core/jobs/?status=failed&object_id=${branch.id}`)).json.count).toBe(0)
    })

    it('requires the permissions and approvals at its time', async () => {
      const branch = await branchOff()
      const late = async () => {
        const { json } = await schedule(branch, 1, tokens.cid)
        clock.advance(2 * HOUR)
        await api.background.runUntilIdle()
        const job = (await api.ask('GET', `/api/core/jobs/${json.id}/`)).json
        return [job.status?.value, JSON.stringify(job.data)]
      }
      const forbidden = ['failed', expect.stringContaining('"status":403')]
      expect(await late()).toEqual(forbidden)
      await allow('cid', ['dcim.site'], ['change'])
      await withPolicy({}, async () => expect(await late()).toEqual(forbidden))
      expect(await statusOf(branch)).toBe('ready')
      const last = await late()
      expect(last[0], String(last[1])).toBe('completed')
      expect(await statusOf(branch)).toBe('merged')
    })

    it.each<[string, string, object, string]>([
      ['in the past', 'merge', { schedule_at: '2020-01-01T00:00:00Z' }, 'must be in the future'],
      ['at no time', 'merge', { schedule_at: 'soon' }, 'schedule_at'],
      ['as a dry run', 'merge', { schedule_at: '2099-01-01T00:00:00Z', commit: false }, 'dry run'],
      ['as a synchronisation', 'sync', { schedule_at: '2099-01-01T00:00:00Z' }, 'Only a merge'],
    ])('is refused %s', async (_, action, body, message) => {
      const { status, text } = await act(await branchOff(), action, body)
      expect([status, text]).toEqual([400, expect.stringContaining(message)])
    })
  })

  it('that a policy refuses is not offered on the pages, which give the reason', async () => {
    const branch = await branchOff()
    const request = await api.make('core/change-requests', { title: 'Please', branch: branch.id })
    const pages = [`/core/branches/${branch.id}/`, `/core/change-requests/${request}/`]
    await withPolicy({}, async () => {
      for (const page of pages) {
        const text = await pageOf('cid', page)
        expect(text).toMatch(/<button class="quiet" disabled[^>]*>Merge<\/button>/)
        expect(text).toContain('does not allow the merge: it has 0 of 1 approvals that count.')
        expect(text).not.toContain(`/core/branches/${branch.id}/merge/`)
        expect(await pageOf('admin', page)).toContain(`href="/core/branches/${branch.id}/merge/"`)
      }
      const action = `/core/branches/${branch.id}/merge/`
      expect(await pageOf('cid', action)).not.toContain('<button>Merge</button>')
      expect(await pageOf('admin', action)).toContain('name="override"')
    })
    for (const page of pages) expect(await pageOf('cid', page)).toContain(`href="/core/branches/${branch.id}/merge/"`)
    expect(await pageOf('eve', '/')).not.toContain('Please')
  })

  it.each(['', 'changes/', 'conflicts/'])('is offered on every page of the branch: %s', async (tab) => {
    const branch = await branchOff()
    const page = await pageOf('admin', `/core/branches/${branch.id}/${tab}`)
    for (const action of ['merge', 'sync', 'archive']) {
      expect(page).toContain(`href="/core/branches/${branch.id}/${action}/"`)
    }
    const { json } = await api.ask('GET', `/api/core/branches/${branch.id}/`)
    const presets = new URLSearchParams({ branch: String(branch.id), title: String(json.name) })
    expect(page).toContain(`/core/change-requests/add/?${presets.toString().replaceAll('&', '&amp;')}`)
  })

  it('is announced on the page of notifications', async () => {
    const branch = await branchOff()
    const [user] = (await api.ask('GET', '/api/users/users/?username=cid')).json.results ?? []
    const body = { title: 'New uplinks', branch: branch.id, reviewers: [user?.id] }
    await api.make('core/change-requests', body)
    expect(await pageOf('cid', '/user/notifications/')).toContain('Review requested: New uplinks')
    await act(branch, 'merge')
    const page = await pageOf('cid', '/user/notifications/')
    expect([page.includes('Merged: New uplinks'), page.includes('Review requested')]).toEqual([true, false])
  })

  it('needs approvals again once the checks have been exchanged', async () => {
    const script = Number((await api.ask('GET', '/api/extras/scripts/?name=NoSecrets')).json.results?.[0]?.id)
    const branch = await branchOff()
    const request = await api.make('core/change-requests', { title: 'Exchanged', branch: branch.id, checks: [script] })
    const merge = async () => (await act(branch, 'merge', {}, tokens.cid)).status
    await withPolicy({}, async () => {
      await api.make('core/change-reviews', { change_request: request, verdict: 'approve' })
      clock.advance(1_000)
      await api.ask('PATCH', `/api/core/change-requests/${request}/`, { body: { checks: [] } })
      expect(await merge()).toBe(403)
      await api.ask('PATCH', `/api/core/change-requests/${request}/`, { body: { checks: [script] } })
      expect(await merge()).toBe(403)
      clock.advance(1_000)
      await api.make('core/change-reviews', { change_request: request, verdict: 'approve' })
      expect(await merge()).toBe(200)
    })
  })

  it.each<[string, string]>([
    ['does something else', SCRIPTS.replace('length > 0', 'length > 99')],
    ['no longer has them', SCRIPTS.replace('NoSecrets', 'Nothing')],
  ])('needs approvals and checks again once the file of the checks %s', async (_, content) => {
    const script = Number((await api.ask('GET', '/api/extras/scripts/?name=NoSecrets')).json.results?.[0]?.id)
    const { json } = await api.ask('GET', `/api/extras/scripts/${script}/`)
    const replace = async (text: string) => {
      const body = new FormData()
      body.set('file', new Blob([text]), 'checks.py')
      const { status, text: answer } = await api.ask('PUT', `/api/extras/scripts/upload/${json.module}/`, { body })
      expect(status, answer).toBe(200)
      clock.advance(1_000)
    }
    const branch = await branchOff()
    const request = await api.make('core/change-requests', { title: 'Replaced', branch: branch.id, checks: [script] })
    const check = async () => {
      await api.ask('POST', `/api/core/change-requests/${request}/checks/`, { body: {} })
      await api.background.runUntilIdle()
    }
    const approve = () => api.make('core/change-reviews', { change_request: request, verdict: 'approve' })
    const merge = async () => [
      (await act(branch, 'merge', { commit: false }, tokens.cid)).json.data?.status,
      await facility(),
    ]
    const before = await facility()
    await withPolicy({ requires_checks: true }, async () => {
      clock.advance(1_000)
      await check()
      await approve()
      expect(await merge()).toEqual([200, before])
      clock.advance(1_000)
      await replace(content)
      expect(await merge()).toEqual([403, before])
      await replace(SCRIPTS)
      await approve()
      expect(await merge()).toEqual([403, before])
      await check()
      expect(await merge()).toEqual([200, before])
    })
  })

  it('whose checks belong to a branch that a user may not view lets them not run', async () => {
    const script = Number((await api.ask('GET', '/api/extras/scripts/?name=NoSecrets')).json.results?.[0]?.id)
    const branch = await branchOff()
    const request = await api.make('core/change-requests', { title: 'Hidden', branch: branch.id, checks: [script] })
    await allow('eve', ['core.changerequest', 'extras.script'], ['view', 'run'])
    const path = `/api/core/change-requests/${request}/checks/`
    const { status, text } = await api.ask('POST', path, { body: {}, token: tokens.eve })
    expect([status, text]).toEqual([403, expect.stringContaining('You may not view the branch')])
    await allow('eve', ['core.branch'], ['view'])
    expect((await api.ask('POST', path, { body: {}, token: tokens.eve })).status).toBe(200)
    await api.background.runUntilIdle()
  })

  it('that requires checks waits until all have succeeded after the last change', async () => {
    const script = Number((await api.ask('GET', '/api/extras/scripts/?name=NoSecrets')).json.results?.[0]?.id)
    const branch = await branchOff('secret')
    const request = await api.make('core/change-requests', { title: 'Checked', branch: branch.id, checks: [script] })
    await api.make('core/change-reviews', { change_request: request, verdict: 'approve' })
    const checks = (token?: string) =>
      api.ask('POST', `/api/core/change-requests/${request}/checks/`, { body: {}, ...(token && { token }) })
    const run = async () => {
      expect((await checks()).status).toBe(200)
      await api.background.runUntilIdle()
      const { json } = await api.ask('GET', `/api/core/change-requests/${request}/checks/`)
      return json.results?.[0]?.job?.status
    }
    const merge = async (): Promise<readonly unknown[]> => {
      const { status, json } = await act(branch, 'merge', {}, tokens.cid)
      return [status, json.detail]
    }
    const refused = [403, expect.stringContaining('the check "NoSecrets" has not succeeded since the last change')]
    expect((await checks(tokens.cid)).status).toBe(403)
    await withPolicy({ requires_checks: true, voided_by_writes: false }, async () => {
      expect(await pageOf('cid', `/core/change-requests/${request}/`)).toContain('has not run yet')
      expect(await merge()).toEqual(refused)
      expect(await run()).toMatch(/failed|errored/)
      expect(await merge()).toEqual(refused)
      await branch.write({ facility: 'open' })
      clock.advance(1_000)
      expect(await run()).toBe('completed')
      expect(await pageOf('cid', `/core/change-requests/${request}/`)).toContain('Completed')
      const made = await api.ask('GET', '/api/dcim/sites/?slug=made', { headers: branch.headers })
      expect(made.json.count).toBe(0)
      clock.advance(1_000)
      await branch.write({ facility: 'open again' })
      expect(await merge()).toEqual(refused)
      clock.advance(1_000)
      await run()
      expect(await merge()).toEqual([200, undefined])
    })
  })
})
