import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { openPostgres } from '../../src/db/postgres.ts'
import type { Model } from '../../src/schema/registry.ts'
import { raw, sql } from '../../src/sql/fragment.ts'
import { table } from '../../src/sql/table.ts'
import { type Api, type ApiAnswer, startApiOver } from '../support/api.ts'
import { createTables } from '../support/database.ts'
import { memoryDirectory } from '../support/memory-directory.ts'
import { withOwnModels } from '../support/own-models.ts'
import { startPostgres, UNSAFE } from '../support/postgres-server.ts'
import { collections, ExampleObjects, offers } from './example-objects.ts'

/** A server for this test alone: transactions, by which traces are recognised, are numbered for all databases of a server. */
async function openOwnServer(): Promise<Database> {
  const server = await startPostgres(UNSAFE, memoryDirectory())
  const database = openPostgres({ url: server.url, poolSize: 10, statementTimeout: 0 })
  await createTables(database)
  return {
    ...database,
    close: async () => {
      await database.close()
      await server.stop()
    },
  }
}

/**
 * Every write of the example objects of every model is first tried with `dry_run`: the trial leaves the database
 * unchanged, including sequences, and its result equals that of the write.
 */
describe('a dry run of every model', () => {
  const problems: string[] = []
  let api: Api
  let objects: ExampleObjects
  /** Without the types that are examples themselves. */
  let models: readonly Model[]
  beforeAll(async () => {
    api = await withOwnModels(await startApiOver(await openOwnServer(), { API_VERSION: '4.7' }))
    models = collections(api.service.registry)
    objects = new ExampleObjects({ ...api, ask: tried(api, problems) })
    await objects.createAll()
  })
  afterAll(() => api.close())

  it('creates objects', () => {
    for (const model of models) {
      if (offers(model, 'POST')) expect(objects.of(model).length).toBeGreaterThan(0)
    }
    expect(problems.splice(0)).toEqual([])
  })

  it('changes objects', async () => {
    const ask = tried(api, problems)
    for (const model of models) {
      if (!offers(model, 'PATCH') || (!offers(model, 'POST') && objects.of(model).length === 0)) continue
      const [one, other] = objects.of(model)
      const description = model.fields.has('description') ? { description: 'changed' } : {}
      await ask('PATCH', `/api/${model.path}/${one?.id}/`, { body: description })
      await ask('PATCH', `/api/${model.path}/`, { body: [{ id: other?.id, ...description }] })
    }
    expect(problems.splice(0)).toEqual([])
  })

  it('deletes objects', async () => {
    await objects.deleteAll()
    expect(problems.splice(0)).toEqual([])
  })
})

/**
 * As `ask`, but every write is tried first. Adds a sentence to `problems` for each trial that leaves traces or differs
 * from its write.
 */
const tried =
  (api: Api, problems: string[]): Api['ask'] =>
  async (method, path, options) => {
    if (method === 'GET') return await api.ask(method, path, options)
    const trial = await trialOf(api, problems, [method, path, options])
    const answer = await api.ask(method, path, options)
    const { status, result } = trial.json
    const expected = comparable(answer.text === '' ? null : answer.json)
    if (trial.status !== 200 || Number(status) !== answer.status) {
      problems.push(`${method} ${path}: ${trial.text} for ${answer.status} ${answer.text}`)
    } else if (comparable(result) !== expected) {
      problems.push(`${method} ${path}: ${comparable(result)} for ${expected}`)
    } else problems.push(...wrongEffects([method, path, options?.body], trial, answer))
    return answer
  }

/** Sentences about effects that the trial did not report. */
function wrongEffects(
  [method, path, body]: readonly [string, string, unknown],
  { json }: ApiAnswer,
  answer: ApiAnswer,
) {
  if (answer.status >= 300 || (Array.isArray(body) && body.length === 0)) return []
  const named = method === 'POST' ? json.created : method === 'PATCH' ? json.changed : json.deleted
  const [app, models] = path.split('/').slice(2)
  const found = [...(named ?? [])].some(({ url }) => String(url).includes(`/api/${app}/${models}/`))
  return found ? [] : [`${method} ${path} names no object: ${JSON.stringify(json)}`]
}

const DIFFERENT =
  /^(created|last_updated|last_login|date_joined|added|assigned|key|token|heartbeat|time|plaintext|pepper_id|schema_id)$/

/** The random part in the name of a stored file, added if another file has the name. */
const RANDOM_PART = /_[a-z0-9]{7}(?=\.\w+$)/

/** Timestamps differ between a trial and the write, and so do generated secrets and names of files. */
const comparable = (value: unknown): string =>
  JSON.stringify(value, (name, each: unknown) => {
    if (typeof each !== 'string') return each
    return DIFFERENT.test(name) || each.startsWith('****') ? '' : each.replace(RANDOM_PART, '')
  })

/**
 * Sends the trial of a write. Adds a sentence to `problems` if it left traces: a transaction that wrote something was
 * committed, or a sequence has changed.
 */
async function trialOf(
  { ask, service: { database } }: Api,
  problems: string[],
  [method, path, options]: Parameters<Api['ask']>,
): Promise<ApiAnswer> {
  const before = await positionOf(database)
  const trial = await ask(method, `${path}?dry_run=true`, options)
  const after = await positionOf(database)
  if (after.sequences !== before.sequences || (await committed(database, before, after)) > 0) {
    problems.push(`${method} ${path} left traces`)
  }
  return trial
}

interface Position {
  /** Number above those of all transactions that have ended. */
  readonly transaction: string
  readonly sequences: string
}

async function positionOf(database: Database): Promise<Position> {
  const [[transaction, sequences] = []] = await database.queryArrays(
    raw(`select pg_snapshot_xmax(pg_current_snapshot())::text,
      (select string_agg(oid || ' ' || coalesce(pg_sequence_last_value(oid), 0), ',' order by oid)
        from pg_class where relkind = 'S')`),
  )
  return { transaction: String(transaction), sequences: String(sequences) }
}

/**
 * The number of transactions between two positions that wrote something and were committed; none if all rows of all
 * tables are unchanged. Transactions that only recorded the last use of a token are ignored, since they run alongside
 * requests.
 */
async function committed(database: Database, before: Position, after: Position): Promise<number> {
  const [[count] = []] = await database.queryArrays(
    sql`select count(*)::int
      from generate_series(${before.transaction}::bigint, ${after.transaction}::bigint - 1) number
      where pg_xact_status(number::text::xid8) = 'committed'
        and not exists (
          select from ${table('users.token')} t
          where t.last_used is not null and t.xmin::text::bigint = number % 4294967296)`,
  )
  return Number(count)
}
