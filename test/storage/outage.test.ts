import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { readSettings } from '../../src/config/settings.ts'
import { openDatabase } from '../../src/db/open.ts'
import { openPostgres } from '../../src/db/postgres.ts'
import { ApiError, ConfigurationError } from '../../src/errors.ts'
import { sql } from '../../src/sql/fragment.ts'
import { createServerDatabase, databaseOfTest, openServerDatabase } from '../support/database.ts'
import { urlOfDatabase } from '../support/postgres-url.ts'

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'cadastre-data-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

const open = (environment: Record<string, string>) => openDatabase(readSettings(environment))

/** Another process that writes rows into the database of `directory` and reports each that is acknowledged. */
async function startWriter(directory: string): Promise<ChildProcess> {
  const writer = fork(join(import.meta.dirname, 'writer.ts'), [directory], { stdio: 'inherit' })
  onTestFinished(() => void writer.kill('SIGKILL'))
  await once(writer, 'message')
  return writer
}

async function killHard(writer: ChildProcess): Promise<void> {
  writer.kill('SIGKILL')
  await once(writer, 'exit')
}

describe('a server that becomes unreachable', () => {
  it('is reported as unavailable, and used again without a restart', async () => {
    const database = await databaseOfTest(openServerDatabase)
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
    const url = await createServerDatabase()
    const database = openPostgres({ url, poolSize: 1, statementTimeout: 50 })
    onTestFinished(() => database.close())
    await expect(database.query(sql`select pg_sleep(5)`)).rejects.toMatchObject({ code: '57014' })
    expect(await database.query(sql`select 1 as one`)).toEqual([{ one: 1 }])
  })
})

describe('the embedded database', () => {
  let made: string
  beforeAll(async () => {
    // Created once and copied, since that takes seconds.
    made = mkdtempSync(join(tmpdir(), 'cadastre-made-'))
    await (await open({ DATA_DIR: made })).close()
  })
  afterAll(() => rmSync(made, { recursive: true }))

  const directoryWithDatabase = () => {
    const directory = newDirectory()
    cpSync(made, directory, { recursive: true })
    return directory
  }

  it('keeps its data after a restart', async () => {
    const directory = newDirectory()
    const first = await open({ DATA_DIR: directory })
    await first.script('create table kept (id int); insert into kept values (7)')
    await first.close()
    const second = await open({ DATA_DIR: directory })
    onTestFinished(() => second.close())
    expect(await second.query(sql`select id from kept`)).toEqual([{ id: 7 }])
  })

  it('is refused while another process has opened it, and taken over when that process is killed', async () => {
    const directory = directoryWithDatabase()
    const writer = await startWriter(directory)
    const refused = open({ DATA_DIR: directory })
    await expect(refused).rejects.toThrow(ConfigurationError)
    await expect(refused).rejects.toThrow(`is in use by process ${writer.pid}`)

    let acknowledged = 0
    writer.on('message', (id) => {
      acknowledged = Number(id)
    })
    while (acknowledged < 50) await once(writer, 'message')
    await killHard(writer)

    const database = await open({ DATA_DIR: directory })
    onTestFinished(() => database.close())
    const [[count, last] = []] = await database.queryArrays(sql`select count(*), max(id) from line`)
    expect(Number(last)).toBeGreaterThanOrEqual(acknowledged)
    // The writer inserts pairs, each in one transaction, so there must be no half of a pair.
    expect(count).toBe(2 * Number(last))
  })

  it('is refused a second time in the same process too', async () => {
    const directory = directoryWithDatabase()
    const database = await open({ DATA_DIR: directory })
    onTestFinished(() => database.close())
    await expect(open({ DATA_DIR: directory })).rejects.toThrow(`in use by process ${process.pid}`)
  })

  it('is taken over from a dead process whose id another process has now', async () => {
    const directory = directoryWithDatabase()
    writeFileSync(join(directory, 'database.lock'), `${process.pid} 12345`)
    const database = await open({ DATA_DIR: directory })
    await database.close()
  })
})
