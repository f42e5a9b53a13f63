import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { ConstraintViolation, StatementFailed } from '../../src/db/failures.ts'
import { raw, sql } from '../../src/sql/fragment.ts'
import { openTestDatabase } from '../support/database.ts'

const TABLES = `
  create table room (id int primary key, name text not null unique);
  create table door (
    id int primary key,
    room int constraint door_room_fk references room on delete restrict,
    width int constraint door_width_positive check (width > 0),
    span int4range,
    other int constraint door_other_fk references door deferrable initially deferred,
    constraint door_no_overlap exclude using gist (span with &&)
  )`

// Constraint that a statement breaks → SQLSTATE and name. Table room contains the row (1, 'hall').
const violations = [
  {
    name: 'a unique constraint',
    statement: sql`insert into room values (2, 'hall')`,
    code: '23505',
    constraint: 'room_name_key',
    table: 'room',
  },
  {
    name: 'a primary key',
    statement: sql`insert into room values (1, 'attic')`,
    code: '23505',
    constraint: 'room_pkey',
    table: 'room',
  },
  {
    name: 'a foreign key',
    statement: sql`insert into door values (1, 99)`,
    code: '23503',
    constraint: 'door_room_fk',
    table: 'door',
  },
  {
    name: 'a foreign key that is checked at the end',
    statement: sql`insert into door values (1, 1, 90, null, 7)`,
    code: '23503',
    constraint: 'door_other_fk',
    table: 'door',
  },
  {
    name: 'a check',
    statement: sql`insert into door values (1, 1, -1)`,
    code: '23514',
    constraint: 'door_width_positive',
    table: 'door',
  },
  {
    name: 'an exclusion',
    statement: sql`insert into door values (1, 1, 1, '[1,5]'), (2, 1, 1, '[5,6]')`,
    code: '23P01',
    constraint: 'door_no_overlap',
    table: 'door',
  },
  {
    name: 'not null',
    statement: sql`insert into room values (3)`,
    code: '23502',
    constraint: undefined,
    table: 'room',
    column: 'name',
  },
]

describe('transactions', () => {
  let database: Database
  const roomNames = async () => (await database.queryArrays(sql`select name from room order by id`)).flat()

  beforeAll(async () => {
    database = await openTestDatabase()
    await database.script(TABLES)
  })
  beforeEach(() => database.script(`truncate room, door; insert into room values (1, 'hall')`))
  afterAll(() => database.close())

  it('commit when the work succeeds, and run what waits for the commit, in order', async () => {
    const order: string[] = []
    const result = await database.transaction(async (transaction) => {
      transaction.afterCommit(() => order.push('first'))
      transaction.afterCommit(() => order.push('second'))
      expect(await transaction.execute(sql`insert into room values (2, 'attic'), (3, 'cellar')`)).toBe(2)
      order.push('work')
      return 'done'
    })
    expect(result).toBe('done')
    expect(order).toEqual(['work', 'first', 'second'])
    expect(await roomNames()).toEqual(['hall', 'attic', 'cellar'])
  })

  it('undo everything when the work throws', async () => {
    let ran = false
    const work = database.transaction(async (transaction) => {
      transaction.afterCommit(() => {
        ran = true
      })
      await transaction.execute(sql`insert into room values (2, 'attic')`)
      throw new Error('changed my mind')
    })
    await expect(work).rejects.toThrow('changed my mind')
    expect(ran).toBe(false)
    expect(await roomNames()).toEqual(['hall'])
  })

  it('undo a savepoint alone', async () => {
    const order: string[] = []
    await database.transaction(async (transaction) => {
      await transaction.execute(sql`insert into room values (2, 'attic')`)
      const attempt = transaction.savepoint(async () => {
        transaction.afterCommit(() => order.push('undone'))
        await transaction.execute(sql`insert into room values (3, 'attic')`)
      })
      await expect(attempt).rejects.toThrow(ConstraintViolation)
      await transaction.savepoint(async () => {
        await transaction.savepoint(() => transaction.execute(sql`insert into room values (4, 'cellar')`))
        transaction.afterCommit(() => order.push('kept'))
      })
    })
    expect(order).toEqual(['kept'])
    expect(await roomNames()).toEqual(['hall', 'attic', 'cellar'])
  })

  it('do not pretend to commit when an inner failure was swallowed', async () => {
    const work = database.transaction(async (transaction) => {
      await transaction.execute(sql`insert into room values (2, 'hall')`).catch(() => undefined)
    })
    await expect(work).rejects.toThrow('was ignored')
  })

  it('execute nothing that concurrent parts of failed work still send', async () => {
    let straggler: Promise<unknown> = Promise.resolve()
    const work = database.transaction(async (transaction) => {
      straggler = transaction
        .query(sql`select 1`)
        .then(() => transaction.execute(sql`insert into room values (2, 'attic')`))
        .then(() => transaction.execute(sql`insert into room values (3, 'cellar')`))
        .catch((error: unknown) => error)
      throw new Error('changed my mind')
    })
    await expect(work).rejects.toThrow('changed my mind')
    expect(await straggler).toBeInstanceOf(Error)
    expect(await roomNames()).toEqual(['hall'])
  })

  it('execute nothing that is still sent after the very first statement has failed', async () => {
    let straggler: Promise<unknown> = Promise.resolve()
    const work = database.transaction(async (transaction) => {
      straggler = transaction.execute(sql`insert into room values (2, 'attic')`).catch((error: unknown) => error)
      throw new Error('changed my mind')
    })
    await expect(work).rejects.toThrow('changed my mind')
    await straggler
    expect(await roomNames()).toEqual(['hall'])
  })

  it('keep the effects of statements that nobody awaited', async () => {
    await database.transaction(async (transaction) => {
      transaction.send(sql`insert into room values (2, 'attic')`)
    })
    expect(await roomNames()).toEqual(['hall', 'attic'])
  })

  it('keep the effects of statements that nobody awaited, except those in a failed savepoint', async () => {
    const room = (id: number, name: string) => sql`insert into room values (${id}::int, ${name})`
    await database.transaction(async (transaction) => {
      transaction.send(room(2, 'attic'))
      const failed = transaction.savepoint(async () => {
        transaction.send(room(3, 'cellar'))
        throw new Error('no')
      })
      await failed.catch(() => undefined)
      transaction.send(room(4, 'kitchen'))
    })
    expect(await roomNames()).toEqual(['hall', 'attic', 'kitchen'])
  })

  it('fail for the reason of the first failing statement, whatever failed because of it', async () => {
    const work = database.transaction(async (transaction) => {
      transaction.send(sql`insert into room values (2, 'hall')`)
      await transaction.query(sql`select 1`)
    })
    await expect(work).rejects.toThrow(ConstraintViolation)
    expect(await roomNames()).toEqual(['hall'])
  })

  it('undo a savepoint in which a statement that nobody awaited has failed', async () => {
    await database.transaction(async (transaction) => {
      transaction.send(sql`insert into room values (2, 'attic')`)
      const attempt = transaction.savepoint(async () => {
        transaction.send(sql`insert into room values (3, 'attic')`)
      })
      await expect(attempt).rejects.toThrow(ConstraintViolation)
    })
    expect(await roomNames()).toEqual(['hall', 'attic'])
  })

  it('execute their statements in order, whatever the first one is', async () => {
    await database.transaction(async (transaction) => {
      transaction.send(sql`insert into room values (2, 'attic')`)
      const [row] = await transaction.query<{ name: string }>(sql`select name from room where id = 2`)
      expect(row?.name).toBe('attic')
    })
  })

  it('execute no statement that was sent after a failing one in the same message', async () => {
    const insert = (id: number, name: string) => sql`insert into room values (${id}, ${name})`
    const outcomes: string[] = []
    await database.transaction(async (transaction) => {
      const attempt = transaction.savepoint(async () => {
        const settled = await Promise.allSettled(
          [insert(2, 'attic'), insert(3, 'hall'), insert(4, 'cellar')].map(transaction.execute),
        )
        for (const each of settled) {
          outcomes.push(each.status === 'fulfilled' ? each.status : each.reason.code)
        }
        throw new Error('changed my mind')
      })
      await expect(attempt).rejects.toThrow('changed my mind')
      await transaction.execute(insert(5, 'shed'))
    })
    expect(outcomes).toEqual(['fulfilled', '23505', '25P02'])
    expect(await roomNames()).toEqual(['hall', 'shed'])
  })

  it('refuse statements after their end', async () => {
    const transaction = await database.transaction(async (transaction) => transaction)
    await expect(transaction.query(sql`select 1`)).rejects.toThrow('has ended')
  })

  it('refuse queries to the database itself during a transaction', async () => {
    const work = database.transaction(() => database.query(sql`select 1`))
    await expect(work).rejects.toThrow('ask the transaction instead')
  })

  it('are kept apart when they run at the same time', async () => {
    const add = (id: number) =>
      database.transaction(async (transaction) => {
        await transaction.execute(sql`insert into room values (${id}, ${`room ${id}`})`)
        const seen = await transaction.query(sql`select id from room where id > 1`)
        expect(seen).toContainEqual({ id })
      })
    await Promise.all([2, 3, 4, 5].map(add))
    expect(await roomNames()).toHaveLength(5)
  })

  it.each(violations)('names the broken constraint: $name', async ({ statement, ...expected }) => {
    const { name, ...fields } = expected
    const error = await database.execute(statement).catch((error: unknown) => error)
    expect(error, name).toBeInstanceOf(ConstraintViolation)
    expect(error).toMatchObject(fields)
  })

  it('execute concurrent queries without a warning of the driver', async () => {
    const warnings: string[] = []
    const listen = (warning: Error) => warnings.push(warning.message)
    process.on('warning', listen)
    const answers = await database.transaction((transaction) =>
      Promise.all([1, 2, 3].map((number) => transaction.queryArrays(sql`select ${number}::int`))),
    )
    await new Promise((resolve) => setImmediate(resolve))
    process.off('warning', listen)
    expect(answers).toEqual([[[1]], [[2]], [[3]]])
    expect(warnings).toEqual([])
  })

  it('name the constraint that protects a row from deletion', async () => {
    await database.execute(sql`insert into door values (1, 1, 90)`)
    const error = await database.execute(sql`delete from room`).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(ConstraintViolation)
    expect(error).toMatchObject({
      constraint: 'door_room_fk',
      code: expect.stringMatching(/^2300[13]$|^23503$/),
    })
  })

  it('distinguish errors in our code from broken data, and report the statement', async () => {
    const error = await database.query(sql`select nothing from nowhere`).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(StatementFailed)
    expect(error).toMatchObject({ code: '42P01', statement: 'select nothing from nowhere' })
  })

  it('continue after a prepared statement has failed', async () => {
    const insert = (id: number) => database.execute(sql`insert into room values (${id}, ${'twin'})`)
    await insert(2)
    for (let id = 3; id < 8; id++) await expect(insert(id)).rejects.toThrow(ConstraintViolation)
    expect(await roomNames()).toEqual(['hall', 'twin'])
  })

  it('leave no prepared statements behind for statements that keep failing', async () => {
    for (let time = 0; time < 12; time++) {
      const twin = database.execute(sql`insert into room values (${1}, ${'never stored'})`)
      await expect(twin).rejects.toThrow(ConstraintViolation)
    }
    const kept = await database.query(
      sql`select name from pg_prepared_statements where statement like ${'insert into room values ($1, $2)%'}`,
    )
    expect(kept.length).toBeLessThanOrEqual(1)
  })

  it('continue when a table changes under a prepared statement', async () => {
    const read = () => database.query(sql`select * from room`)
    for (let time = 0; time < 4; time++) await read()
    await database.script('alter table room add column colour text')
    // Other connections of a server may have to fail once before they prepare the statement again.
    const rows = await read().catch(read)
    expect(rows).toEqual([{ id: 1, name: 'hall', colour: null }])
    await database.script('alter table room drop column colour')
    await read().catch(read)
  })

  it('keep working when there are more different statements than can be kept prepared', async () => {
    for (let round = 0; round < 2; round++) {
      for (let number = 0; number < 700; number++) {
        const statement = sql`select ${raw(String(number))} as number`
        expect(await database.queryArrays(statement)).toEqual([[number]])
      }
    }
  })
})
