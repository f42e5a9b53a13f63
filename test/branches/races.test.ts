import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { openPostgres } from '../../src/db/postgres.ts'
import { identifier, sql } from '../../src/sql/fragment.ts'
import { table } from '../../src/sql/table.ts'
import type { Document } from '../support/api.ts'
import { createTestDatabase, dropTestDatabase } from '../support/database.ts'
import { directoryOfRun } from '../support/directory.ts'
import { randomNumbers } from '../support/random-writes.ts'
import { runSize } from '../support/run-size.ts'
import { SERVER_TOKEN, type ServerProcess, startServer } from '../support/server.ts'

const ROUNDS = Number(process.env.ROUNDS ?? runSize({ full: 200, usual: 20 }))
/** Rounds that run at the same time. */
const LANES = 4
/** Milliseconds by which one of two requests is later, at most. */
const LATEST = 30

interface Answer {
  readonly status: number
  readonly json: Document
}

interface Branch {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

describe('two processes, asked at the same time', () => {
  const servers: ServerProcess[] = []
  let url: string
  let database: Database
  beforeAll(async () => {
    url = await createTestDatabase('migrated')
    const environment = { DATABASE_URL: url, DATA_DIR: directoryOfRun(), SECRET_KEY: 'x'.repeat(50) }
    database = openPostgres({ url, poolSize: 2, statementTimeout: 0 })
    for (let count = 0; count < 2; count++) servers.push(await startServer(environment))
  })
  afterAll(async () => {
    for (const server of servers) await server.stop()
    await database.close()
    await dropTestDatabase(url)
  })

  /** A request to the first or second process. */
  async function ask(process: number, method: string, path: string, body?: unknown, headers = {}): Promise<Answer> {
    const response = await fetch(`${servers[process]?.url}/api/${path}`, {
      method,
      headers: { authorization: `Token ${SERVER_TOKEN}`, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    expect(response.status, `${method} ${path} ${text}`).toBeLessThan(500)
    return { status: response.status, json: text === '' ? {} : JSON.parse(text) }
  }
  async function make(path: string, body: object): Promise<number> {
    const { status, json } = await ask(0, 'POST', path, body)
    expect(status, JSON.stringify(json)).toBe(201)
    return Number(json.id)
  }
  const site = (mark: string) => make('dcim/sites/', { name: mark, slug: mark })
  async function branchOff(name: string): Promise<Branch> {
    const { json } = await ask(0, 'POST', 'core/branches/', { name })
    return { path: `core/branches/${json.id}/`, headers: { 'X-NetBox-Branch': String(json.schema_id) } }
  }
  const change = async (id: number, body: object, { headers }: Partial<Branch> = {}) =>
    expect((await ask(0, 'PATCH', `dcim/sites/${id}/`, body, headers)).status).toBe(200)
  const act = (process: number, { path }: Branch, action: string) => ask(process, 'POST', `${path}${action}/`, {})
  /** A column of the site as stored: caches of the processes may be some milliseconds behind. */
  const siteValue = async (id: number, column: string) =>
    (await database.queryColumn(sql`select ${identifier(column)} from ${table('dcim.site')} where id = ${id}`))[0]

  /** Runs the round as often as necessary, some at once, each with a text of its own. */
  async function rounds(name: string, round: (mark: string, random: (limit: number) => number) => Promise<void>) {
    const random = randomNumbers(53)
    let number = 0
    const lane = async () => {
      while (number < ROUNDS) await round(`${name}-${++number}`, random)
    }
    await Promise.all(Array.from({ length: LANES }, lane))
  }

  /** Sends both requests; one of them is a little later. */
  async function together<T>(
    random: (limit: number) => number,
    ...requests: readonly (() => Promise<T>)[]
  ): Promise<readonly T[]> {
    const late = random(requests.length)
    return await Promise.all(
      requests.map(async (request, index) => {
        if (index === late) await new Promise((resolve) => setTimeout(resolve, random(LATEST)))
        return await request()
      }),
    )
  }

  it('never lose a write to a merge', async () => {
    await rounds('write', async (mark, random) => {
      const id = await site(mark)
      const branch = await branchOff(mark)
      await change(id, { description: 'branch' }, branch)
      const [merged, written] = await together(
        random,
        () => act(0, branch, 'merge'),
        () => ask(1, 'PATCH', `dcim/sites/${id}/`, { description: 'main' }),
      )
      expect([200, 409]).toContain(merged?.status)
      expect([written?.status, await siteValue(id, 'description')], mark).toEqual([200, 'main'])
    })
  })

  it('merge one of two branches that change the same field, and refuse the other', async () => {
    await rounds('merges', async (mark, random) => {
      const id = await site(mark)
      const branches = [await branchOff(`${mark} 0`), await branchOff(`${mark} 1`)]
      for (const [index, branch] of branches.entries()) await change(id, { description: `of ${index}` }, branch)
      const answers = await together(random, ...branches.map((branch, index) => () => act(index, branch, 'merge')))
      const statuses = answers.map(({ status }) => status)
      expect([...statuses].sort(), mark).toEqual([200, 409])
      expect(await siteValue(id, 'description')).toBe(`of ${statuses.indexOf(200)}`)
    })
  })

  it('keep every decision about a conflict', async () => {
    const fields = ['description', 'facility', 'comments', 'physical_address', 'shipping_address', 'name']
    await rounds('decisions', async (mark, random) => {
      const id = await site(mark)
      const branch = await branchOff(mark)
      const values = (side: string) => Object.fromEntries(fields.map((field) => [field, `${mark} ${side}`]))
      await change(id, values('branch'), branch)
      await change(id, values('main'))
      const decisions = fields.map((field) => ({ object_type: 'dcim.site', object_id: id, field, keep: 'mine' }))
      const answers = await together(
        random,
        ...decisions.map((decision, index) => () => ask(index % 2, 'POST', `${branch.path}conflicts/`, decision)),
      )
      expect(answers.map(({ status }) => status)).toEqual(fields.map(() => 200))
      expect((await ask(0, 'GET', `${branch.path}conflicts/`)).json.count, mark).toBe(0)
      expect((await act(1, branch, 'merge')).status).toBe(200)
    })
  })

  it('exchange unique values in one of two branches, and revert it', async () => {
    await rounds('exchange', async (mark, random) => {
      const ids = [await site(`${mark}-x`), await site(`${mark}-y`), await site(`${mark}-z`)]
      const slugs = () => Promise.all(ids.map((id) => siteValue(id, 'slug')))
      const before = await slugs()
      const branches = [await branchOff(`${mark} 0`), await branchOff(`${mark} 1`)]
      for (const [index, branch] of branches.entries()) {
        // In one branch forwards, in the other backwards.
        const order = index === 0 ? ids : ids.toReversed()
        const names = order.map((id) => before[ids.indexOf(id)])
        for (const id of order) await change(id, { slug: `${mark}-free-${id}` }, branch)
        for (const [at, id] of order.entries()) await change(id, { slug: names[(at + 1) % names.length] }, branch)
      }
      const answers = await together(random, ...branches.map((branch, index) => () => act(index, branch, 'merge')))
      const statuses = answers.map(({ status }) => status)
      expect([...statuses].sort(), mark).toEqual([200, 409])
      expect([...new Set(await slugs())].sort()).toEqual([...before].sort())
      const winner = branches[statuses.indexOf(200)]
      if (winner) expect((await act(1, winner, 'revert')).status, mark).toBe(200)
      expect(await slugs()).toEqual(before)
    })
  })

  it('either merge or archive a branch', async () => {
    await rounds('archive', async (mark, random) => {
      const id = await site(mark)
      const branch = await branchOff(mark)
      await change(id, { description: 'branch' }, branch)
      const answers = await together(
        random,
        () => act(0, branch, 'merge'),
        () => act(1, branch, 'archive'),
      )
      const [merged, archived] = answers.map(({ status }) => status === 200)
      expect(merged, mark).toBe(!archived)
      expect(await siteValue(id, 'description')).toBe(merged ? 'branch' : '')
      if (merged) expect((await act(1, branch, 'revert')).status).toBe(200)
    })
  })
})
