import { describe, expect, it, onTestFinished } from 'vitest'
import { ApiError, ConfigurationError } from '../../src/base/errors.ts'
import { readSettings } from '../../src/config/settings.ts'
import { openDatabase } from '../../src/db/open.ts'
import { openPostgres } from '../../src/db/postgres.ts'
import { sql } from '../../src/sql/fragment.ts'
import { databaseOfTest, databaseUrlOfTest } from '../support/database.ts'
import { urlOfDatabase } from '../support/postgres-url.ts'

const open = (environment: Record<string, string>) => openDatabase(readSettings(environment))

describe('a server that becomes unreachable', () => {
  it('is reported as unavailable, and used again without a restart', async () => {
    const database = await databaseOfTest()
    let failure: unknown
    const work = database.transaction(async (transaction) => {
      await transaction.execute(sql`create table lost (id int)`)
      const [[name, pid] = []] = await transaction.queryArrays(sql`select current_database(), pg_backend_pid()`)
      const other = await open({ DATABASE_URL: await urlOfDatabase(String(name)) })
      await other.query(sql`select pg_terminate_backend(${pid})`).finally(() => other.close())
      failure = await transaction.query(sql`select 1`).catch((error: unknown) => error)
      throw failure
    })
    await expect(work).rejects.toThrow(ApiError)
    expect(failure).toMatchObject({ reason: { kind: 'unavailable' } })
    expect(await database.queryArrays(sql`select to_regclass('lost')`)).toEqual([[null]])
  })

  it('prevents the start with a message that names the setting', async () => {
    const refused = open({ DATABASE_URL: 'postgres://nobody:wrong@127.0.0.1:1/none' })
    await expect(refused).rejects.toThrow(ConfigurationError)
    await expect(refused).rejects.toThrow(/^DATABASE_URL names a server that cannot be used: .*127.0.0.1:1/)
    const unknown = open({ DATABASE_URL: await urlOfDatabase('no_such_database') })
    await expect(unknown).rejects.toThrow(/no_such_database/)
  })

  it('cancels statements that take too long', async () => {
    const url = await databaseUrlOfTest()
    const database = openPostgres({ url, poolSize: 1, statementTimeout: 50 })
    onTestFinished(() => database.close())
    await expect(database.query(sql`select pg_sleep(5)`)).rejects.toMatchObject({ code: '57014' })
    expect(await database.query(sql`select 1 as one`)).toEqual([{ one: 1 }])
  })
})
