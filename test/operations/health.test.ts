import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openPostgres } from '../../src/db/postgres.ts'
import { sql } from '../../src/sql/fragment.ts'
import { type Api, startApi, startApiOver } from '../support/api.ts'
import { databaseUrlOfTest } from '../support/database.ts'

const PATHS = ['/health/', '/health/live', '/health/live/', '/health/ready', '/health/ready/']

describe('the health endpoints', () => {
  let api: Api
  beforeAll(async () => {
    api = await startApi()
  })
  afterAll(() => api.close())

  it('are public, with or without a slash', async () => {
    for (const path of PATHS) {
      const { status, json } = await api.ask('GET', path, { token: null })
      expect([path, status, json]).toEqual([path, 200, { status: 'ok' }])
    }
  })

  it('are not ready when another version has changed the tables', async () => {
    const ready = async () => (await api.ask('GET', '/health/ready', { token: null })).status
    const change = (from: string, to: string) =>
      api.service.database.execute(sql`
        update cadastre_schema set schema = replace(schema, ${from}, ${to}), applied = clock_timestamp()`)
    expect(await ready()).toBe(200)
    await change('"facility"', '"later_facility"')
    expect(await ready()).toBe(503)
    expect((await api.ask('GET', '/health/live', { token: null })).status).toBe(200)
    await change('"later_facility"', '"facility"')
    expect(await ready()).toBe(200)
  })
})

describe('the health endpoints with a database server', () => {
  it('are not ready while the database is down, and ready again afterwards', async () => {
    const url = await databaseUrlOfTest('migrated')
    const name = new URL(url).pathname.slice(1)
    const api = await startApiOver(openPostgres({ url, poolSize: 2, statementTimeout: 0 }))
    onTestFinished(() => api.close())
    const ready = async () => (await api.ask('GET', '/health/ready', { token: null })).status
    expect(await ready()).toBe(200)

    // Another database on the same server, from which this one can be closed to everybody.
    const other = openPostgres({ url: url.replace(name, 'postgres'), poolSize: 1, statementTimeout: 0 })
    onTestFinished(() => other.close())
    await other.script(`alter database "${name}" with allow_connections false`)
    await other.query(sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`)
    expect(await ready()).toBe(503)
    await other.script(`alter database "${name}" with allow_connections true`)
    expect(await ready()).toBe(200)
  })
})
