import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Browser } from '../sessions/browser.ts'
import { type Api, startApi } from '../support/api.ts'
import { toolsOf } from './client.ts'

const PASSWORD = 'Corr3ct-Horse-Battery'

/** Agents of Ann and of Bob, each with a plan; Ann may view change requests, Bob may only make them. */
describe('the page of agents', () => {
  let api: Api
  let root: Browser
  const browsers: Record<string, Browser> = {}
  const tokens: Record<string, number> = {}
  const plans: Record<string, number> = {}
  const branches: Record<string, number> = {}

  beforeAll(async () => {
    api = await startApi({ MCP_ENABLED: 'true', MCP_CALLS_PER_MINUTE: '0' })
    root = new Browser(api.url)
    await root.logIn('admin', 'admin')
  })
  afterAll(() => api.close())

  const textOf = async (browser: Browser | undefined, path: string) => {
    const { status, text } = (await browser?.visit(path)) ?? { status: 0, text: '' }
    expect(status, text.slice(0, 500)).toBe(200)
    return /<main[\s\S]*<\/main>/.exec(text)?.[0] ?? ''
  }

  it('says how to connect the first agent', async () => {
    const text = await textOf(root, '/users/agents/')
    expect(text).toContain('No agents yet.')
    expect(text).toContain(`<code>${api.url}/mcp</code>`)
    expect((await root.visit('/')).text).toContain('href="/users/agents/"')
  })

  it('shows tokens with their calls and plans', async () => {
    for (const username of ['ann', 'bob']) {
      const user = await api.make('users/users', { username, password: PASSWORD })
      const allow = (object_types: readonly string[], actions: readonly string[]) =>
        api.make('users/permissions', { name: 'p', users: [user], object_types, actions })
      await allow(['core.branch', 'core.changerequest'], ['view', 'add'])
      await allow(['dcim.site'], ['view', 'propose'])
      const body = { user, version: 1, plans_only: true, description: `Agent of ${username}` }
      const { json } = await api.ask('POST', '/api/users/tokens/', { body })
      tokens[username] = Number(json.id)
      const call = toolsOf(api, String(json.key))
      const writes = [{ method: 'POST', path: 'dcim/sites/', body: { name: username, slug: username } }]
      const { document } = await call('plan', { title: `Site of ${username}`, writes })
      plans[username] = Number(document.plan)
      branches[username] = Number(document.branch?.id)
      await call('read', { type: 'dcim.site' })
      await call('read', { type: 'dcim.site' })
      await call('read', { type: 'dcim.planet' })
      browsers[username] = new Browser(api.url)
      await browsers[username].logIn(username, PASSWORD)
    }
    const text = await textOf(root, '/users/agents/')
    for (const username of ['ann', 'bob']) {
      expect(text).toContain(`?token=${tokens[username]}"`)
      expect(text).toContain(`href="/core/change-requests/${plans[username]}/changes/"`)
      expect(text).toContain(`href="/core/branches/${branches[username]}/"`)
    }
    expect(text.match(/plan 1, read 3/g)).toHaveLength(2)
    const one = await textOf(root, `/users/agents/?token=${tokens.ann}`)
    expect(one).toContain('Site of ann')
    expect(one).not.toContain('bob')
    expect(one.match(/<code>read<\/code>/g)).toHaveLength(3)
    expect(one.match(/Answered/g)).toHaveLength(3)
  })

  it('shows to everybody only their own agents', async () => {
    const text = await textOf(browsers.ann, '/users/agents/')
    expect(text).toContain('Site of ann')
    expect(text).not.toMatch(/bob/i)
    expect(text).not.toContain(`?token=${tokens.bob}`)
    expect((await browsers.ann?.visit(`/users/agents/?token=${tokens.bob}`))?.status).toBe(404)
    expect((await browsers.ann?.visit('/users/agents/?token=x'))?.status).toBe(404)
    expect((await new Browser(api.url).visit('/users/agents/')).status).not.toBe(200)
  })

  it('links branches, change requests and tokens with the agent', async () => {
    const link = `href="/users/agents/?token=${tokens.ann}"`
    for (const path of [
      `/core/branches/${branches.ann}/`,
      `/core/change-requests/${plans.ann}/`,
      `/users/tokens/${tokens.ann}/`,
    ]) {
      expect(await textOf(root, path), path).toContain(link)
    }
    expect(await textOf(browsers.ann, `/core/branches/${branches.ann}/`)).toContain(link)
    expect(await textOf(browsers.ann, `/user/api-tokens/${tokens.ann}/`)).toContain(link)
    expect(await textOf(browsers.bob, `/core/branches/${branches.ann}/`)).not.toContain('/users/agents/')
    expect((await api.ask('GET', `/api/core/branches/${branches.ann}/`)).text).not.toContain('agent_token')
  })

  it('shows plans only to those who may view change requests', async () => {
    const { json } = await api.ask('GET', '/api/users/permissions/?object_type=core.changerequest')
    for (const { id } of json.results ?? []) await api.ask('DELETE', `/api/users/permissions/${id}/`)
    const text = await textOf(browsers.ann, '/users/agents/')
    expect(text).toContain(`?token=${tokens.ann}"`)
    expect(text).not.toContain('Site of ann')
  })
})
