import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../src/sql/fragment.ts'
import { type Api, type ApiAnswer, startApi } from '../support/api.ts'
import { created, createdId } from '../support/requests.ts'

/** Bytes that one connection of the database may need for a request. Restricting all types at once takes gigabytes. */
const MOST_MEMORY = 400e6

/** Memory of a process that it shares with no other, in bytes; 0 for one that has ended. */
const memoryOf = (pid: unknown): number => {
  const file = `/proc/${pid}/status`
  if (!existsSync(file)) return 0
  return Number(/^RssAnon:\s+(\d+)/m.exec(readFileSync(file, 'utf8'))?.[1] ?? 0) * 1024
}

const query = (text: string) => ({ method: 'POST', path: '/graphql/', body: { query: text } })
const list = (path: string) => ({ method: 'GET', path, body: undefined })

describe('with permissions that are restricted for every type, in a branch', () => {
  let api: Api
  let token: string
  let branch: string
  let hidden: number

  const ask = (method: string, path: string, body?: unknown): Promise<ApiAnswer> =>
    api.ask(method, path, { token, body, headers: { 'X-NetBox-Branch': branch } })

  beforeAll(async () => {
    api = await startApi()
    const user = await createdId(api, 'users/users', { username: 'ann', password: 'Corr3ct-Horse-Battery' })
    token = String((await created(api, 'users/tokens', { user, version: 1 })).key)
    const sites: number[] = []
    for (const name of ['North', 'South']) {
      sites.push(await createdId(api, 'dcim/sites', { name, slug: name.toLowerCase() }))
    }
    hidden = sites[1] ?? 0
    const tenant = await createdId(api, 'tenancy/tenants', { name: 'Acme', slug: 'acme' })
    for (const [type, id] of [
      ['dcim.site', sites[0]],
      ['dcim.site', hidden],
      ['tenancy.tenant', tenant],
    ] as const) {
      await createdId(api, 'extras/subscriptions', { object_type: type, object_id: id, user })
    }
    const types = (await api.ask('GET', '/api/core/object-types/?public=true&limit=1000')).json.results ?? []
    const names = [...types].map((type) => `${type.app_label}.${type.model}`)
    const restricted = names.filter((name) => name !== 'core.branch' && name !== 'dcim.site')
    for (const [name, object_types, constraints] of [
      ['branches', ['core.branch'], null],
      ['sites', ['dcim.site'], { name: 'North' }],
      ['others', restricted, { id__lte: 1_000_000 }],
    ] as const) {
      const permission = { name, object_types, constraints, actions: ['view'], users: [user] }
      await createdId(api, 'users/permissions', permission)
    }
    branch = String((await created(api, 'core/branches', { name: 'plan' })).schema_id)
  })
  afterAll(() => api.close())

  it.each([
    query('{subscription_list {display}}'),
    query('{tenant_list {subscriptions {display} notifications {display} changelog {display}}}'),
    query('{cable_list {terminations {display}}}'),
    query('{l2vpn_termination_list {display} fhrp_group_assignment_list {display}}'),
    list('/api/extras/subscriptions/'),
    list('/api/extras/bookmarks/'),
    list('/api/core/object-changes/'),
    list('/api/search/?q=a'),
    list('/search/?q=a'),
    list('/api/search/?q=00:00:5e:00:53:01'),
  ])('$method $path $body.query needs little memory of the database', async ({ method, path, body }) => {
    const rows = await api.service.database.queryArrays(
      sql`select pid from pg_stat_activity where datname = current_database()`,
    )
    let most = 0
    let isOver = false
    const watch = (async () => {
      while (!isOver) {
        most = Math.max(most, ...rows.map(([pid]) => memoryOf(pid)))
        await pause(10)
      }
    })()
    const { status, text } = await ask(method, path, body)
    isOver = true
    await watch
    expect(status, text).toBe(200)
    expect(most).toBeLessThan(MOST_MEMORY)
  })

  it('a display text names no object that is hidden', async () => {
    const { json, text } = await ask('POST', '/graphql/', { query: '{subscription_list {display}}' })
    const displays = [...(json.data?.subscription_list ?? [])].map(({ display }) => String(display))
    expect(displays.sort(), text).toEqual(['Acme', 'North'])
    expect((await ask('GET', '/api/extras/subscriptions/')).text).not.toContain(`"object_id":${hidden},`)
  })

  it('a search finds what may be viewed, of every type', async () => {
    const { json } = await ask('GET', '/api/search/?q=o')
    const found = [...(json.results ?? [])].map(({ object }) => String(object?.display ?? object?.name))
    expect(found).toContain('North')
    expect(found).not.toContain('South')
  })
})
