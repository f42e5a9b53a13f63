import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, startApi } from '../support/api.ts'

describe('the API of jobs', () => {
  let api: Api
  const tokens = new Map<string, string>()

  beforeAll(async () => {
    api = await startApi()
    const users: number[] = []
    for (const name of ['ann', 'bob']) {
      const password = `Long-password-of-${name}-1`
      const user = await post('/api/users/users/', { username: name, password })
      const token = await post('/api/users/tokens/', { user: user.json.id })
      tokens.set(name, String(token.json.key))
      users.push(Number(user.json.id))
    }
    const permission = await post('/api/users/permissions/', {
      name: 'sites and jobs',
      object_types: ['dcim.site', 'core.job'],
      actions: ['view', 'add', 'change', 'delete'],
      users,
    })
    expect(permission.status, permission.text).toBe(201)
  })
  afterAll(() => api.close())

  const post = (path: string, body?: unknown) => api.ask('POST', path, { body })
  const as = (name: string) => ({ token: tokens.get(name) ?? '' })

  describe('requests in the background', () => {
    const sites = '/api/dcim/sites/?background=true'

    /** Sends the request as ann, lets the job run, and returns its data. */
    async function run(method: string, body: unknown, path = sites) {
      const answer = await api.ask(method, path, { body, ...as('ann') })
      expect(answer.status).toBe(202)
      const { job } = answer.json
      expect(job).toMatchObject({ status: { value: 'pending', label: 'Pending' } })
      expect(answer.headers.get('location')).toBe(job?.url)
      await api.background.runUntilIdle()
      const shown = await api.ask('GET', new URL(String(job?.url)).pathname, as('ann'))
      return shown.json
    }

    it('return a job, whose data later contain the response, for all methods', async () => {
      const created = await run('POST', [
        { name: 'A', slug: 'a' },
        { name: 'B', slug: 'b' },
      ])
      expect(created).toMatchObject({ status: { value: 'completed' }, user: { username: 'ann' } })
      expect(created.data).toMatchObject({ status: 201, body: [{ name: 'A' }, { name: 'B' }] })
      const [a, b] = [created.data?.body?.[0]?.id, created.data?.body?.[1]?.id]
      const patched = await run('PATCH', [{ id: a, description: 'x' }])
      expect(patched.data).toMatchObject({ status: 200, body: [{ id: a, description: 'x' }] })
      const put = await run('PUT', [{ id: b, name: 'B2', slug: 'b2' }])
      expect(put.data).toMatchObject({ status: 200, body: [{ id: b, name: 'B2' }] })
      const deleted = await run('DELETE', [{ id: a }, { id: b }])
      expect(deleted.data).toEqual({ status: 204, body: null })
    })

    it('that are refused result in a failed job, with the error in its data', async () => {
      const job = await run('POST', [{ name: 'C' }])
      expect(job).toMatchObject({ status: { value: 'failed' } })
      expect(job.data).toMatchObject({ status: 400, body: [{ slug: ['This field is required.'] }] })
    })

    it('keep the other parameters', async () => {
      const job = await run('POST', { name: 'D', slug: 'd' }, `${sites}&fields=name,slug`)
      expect(Object.keys(job.data?.body ?? {})).toEqual(['name', 'slug'])
    })

    it('record their changes under the UUID of the job', async () => {
      const job = await run('POST', { name: 'E', slug: 'e' })
      const changes = await api.ask('GET', `/api/core/object-changes/?request_id=${job.job_id}`)
      expect(changes.json).toMatchObject({ count: 1, results: [{ user_name: 'ann' }] })
    })

    it('are not repeated if their changes were committed before their process died', async () => {
      const job = await run('POST', { name: 'E2', slug: 'e2' })
      await api.service.database.script(`
        update core_jobtask set state = 'started', heartbeat = '2020-01-01' where job_id = ${job.id};
        update core_job set status = 'running', data = null where id = ${job.id}`)
      await api.background.runUntilIdle()
      const again = await api.ask('GET', `/api/core/jobs/${job.id}/`)
      expect(again.json).toMatchObject({ status: { value: 'failed' }, data: null })
      expect(again.json.error).toContain('The changes were made')
      expect((await api.ask('GET', '/api/dcim/sites/?slug=e2')).json.count).toBe(1)
    })

    it('require the permission at the time they run, too', async () => {
      const answer = await api.ask('POST', sites, { body: { name: 'F', slug: 'f' }, ...as('bob') })
      const users = await api.ask('GET', '/api/users/users/?username=bob')
      const id = users.json.results?.[0]?.id
      const change = (is_active: boolean) => api.ask('PATCH', `/api/users/users/${id}/`, { body: { is_active } })
      await change(false)
      await api.background.runUntilIdle()
      await change(true)
      const job = await api.ask('GET', new URL(String(answer.json.job?.url)).pathname)
      expect(job.json).toMatchObject({ status: { value: 'failed' }, data: null })
      expect((await api.ask('GET', '/api/dcim/sites/?name=F')).json.count).toBe(0)
    })

    it('and their responses are visible only to their user and to superusers', async () => {
      const job = await run('POST', { name: 'G', slug: 'g' })
      const path = `/api/core/jobs/${job.id}/`
      expect((await api.ask('GET', path, as('bob'))).status).toBe(404)
      expect((await api.ask('GET', path)).status).toBe(200)
      const list = await api.ask('GET', '/api/core/jobs/?limit=0', as('bob'))
      expect(list.text).not.toContain('"slug":"g"')
      expect(list.json.results?.map(({ id }) => id)).not.toContain(job.id)
    })

    it.each([
      ['without the permission', 403, '/api/dcim/regions/?background=true', {}],
      ['with If-Match', 400, sites, { 'if-match': '"1"' }],
      ['with a form', 400, sites, { 'content-type': 'application/x-www-form-urlencoded' }],
    ])('%s are refused at once', async (_, status, path, headers) => {
      const body = 'form' in headers ? 'name=x' : '{"name": "H", "slug": "h"}'
      const sent = { 'content-type': 'application/json', ...headers }
      const answer = await api.ask('POST', path, { body, headers: sent, ...as('ann') })
      expect(answer.status).toBe(status)
    })

    // Jobs are stored, so bodies and responses with passwords or keys must not be among them.
    it.each([
      ['POST', 'users/users', { username: 'zoe', password: 'Long-password-1' }],
      ['PATCH', 'users/tokens', [{ id: 1, description: 'x' }]],
      ['POST', 'core/data-sources', { name: 'x', type: 'git', source_url: 'https://example.com/' }],
    ])('with secrets are refused: %s %s', async (method, path, body) => {
      const answer = await api.ask(method, `/api/${path}/?background=true`, { body })
      expect(answer.status).toBe(400)
    })

    // Requests that create objects are excluded: typed clients would get one of two types for each.
    it('are described by the OpenAPI document, with their response', async () => {
      const { json } = await api.ask('GET', '/api/schema/?format=json')
      const described = {
        parameters: expect.arrayContaining([expect.objectContaining({ name: 'background' })]),
        responses: { 202: { $ref: '#/components/responses/Accepted' } },
      }
      expect(json.paths).toMatchObject({
        '/api/dcim/sites/': {
          put: described,
          patch: described,
          delete: described,
        },
      })
      expect(json.paths).not.toMatchObject({ '/api/users/tokens/': { patch: described } })
    })

    it('without the parameter, or with false, get a direct response', async () => {
      const body = { name: 'I', slug: 'i' }
      const answer = await api.ask('POST', '/api/dcim/sites/?background=false', { body })
      expect(answer.status).toBe(201)
    })
  })

  describe('queues, workers and tasks', () => {
    const enqueue = async (slug: string) => {
      const body = { name: slug, slug }
      const answer = await api.ask('POST', '/api/dcim/sites/?background=true', { body })
      const job = await api.ask('GET', new URL(String(answer.json.job?.url)).pathname)
      return { id: Number(job.json.id), jobId: String(job.json.job_id) }
    }
    const status = async (id: number) => (await api.ask('GET', `/api/core/jobs/${id}/`)).json.status?.value

    it('show which jobs wait and which have run', async () => {
      await api.background.runUntilIdle()
      const { jobId } = await enqueue('q1')
      const task = `/api/core/background-tasks/${jobId}/`
      const queue = '/api/core/background-queues/default/'
      expect((await api.ask('GET', queue)).json).toMatchObject({
        name: 'default',
        jobs: 1,
        index: 0,
      })
      expect((await api.ask('GET', task)).json).toMatchObject({
        ...{ id: jobId, origin: 'default', status: 'queued', is_queued: true, position: 0 },
      })
      await api.background.runUntilIdle()
      expect((await api.ask('GET', queue)).json).toMatchObject({
        jobs: 0,
        oldest_job_timestamp: '-',
      })
      const [worker] = (await api.ask('GET', '/api/core/background-workers/')).json.results ?? []
      expect(worker).toMatchObject({ state: 'idle', queue_names: ['high', 'default', 'low'] })
      expect((await api.ask('GET', task)).json).toMatchObject({
        ...{ status: 'finished', is_finished: true, worker_name: worker?.name },
      })
      const name = `/api/core/background-workers/${worker?.name}/`
      expect((await api.ask('GET', name)).json).toMatchObject({ name: worker?.name })
      const queues = (await api.ask('GET', '/api/core/background-queues/')).json.results
      expect(queues?.map(({ name }) => name)).toEqual(['default', 'high', 'low'])
    })

    it('a task that is deleted does not run', async () => {
      const { id, jobId } = await enqueue('q2')
      const task = `/api/core/background-tasks/${jobId}/`
      expect((await post(`${task}delete/`)).status).toBe(200)
      expect((await api.ask('GET', task)).status).toBe(404)
      expect(await status(id)).toBe('failed')
    })

    it('a task that has failed can be queued again', async () => {
      const { id, jobId } = await enqueue('q1')
      await api.background.runUntilIdle()
      expect(await status(id)).toBe('failed')
      const [other] = (await api.ask('GET', '/api/dcim/sites/?slug=q1')).json.results ?? []
      await api.ask('DELETE', `/api/dcim/sites/${other?.id}/`)
      expect((await post(`/api/core/background-tasks/${jobId}/requeue/`)).status).toBe(200)
      await api.background.runUntilIdle()
      expect(await status(id)).toBe('completed')
    })

    it('a task that is not running cannot be stopped', async () => {
      const { jobId } = await enqueue('q4')
      expect((await post(`/api/core/background-tasks/${jobId}/stop/`)).status).toBe(204)
      expect((await post(`/api/core/background-tasks/${jobId}/enqueue/`)).status).toBe(200)
    })

    it.each(['', 'delete/', 'enqueue/', 'requeue/', 'stop/'])('an unknown task is not found: %s', async (action) => {
      for (const id of [randomUUID(), 'nothing']) {
        const path = `/api/core/background-tasks/${id}/${action}`
        expect((await api.ask(action === '' ? 'GET' : 'POST', path)).status).toBe(404)
      }
    })

    it.each(['queues', 'workers', 'tasks'])('the %s are for superusers only', async (name) => {
      const path = `/api/core/background-${name}/`
      expect((await api.ask('GET', path, as('ann'))).status).toBe(403)
      expect((await api.ask('GET', `${path}nothing/`)).status).toBe(404)
    })
  })
})
