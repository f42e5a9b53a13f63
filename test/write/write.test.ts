import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ApiError, type Messages } from '../../src/base/errors.ts'
import { readSettings } from '../../src/config/settings.ts'
import type { Database, Transaction } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrate/migrate.ts'
import { UploadedFile } from '../../src/schema/uploaded-file.ts'
import { createService, type Service } from '../../src/service.ts'
import { type Sql, sql } from '../../src/sql/fragment.ts'
import { table } from '../../src/sql/table.ts'
import type { WriteContext } from '../../src/write/context.ts'
import { createObjects } from '../../src/write/create-objects.ts'
import { mediaStore } from '../../src/write/media/media-store.ts'
import { deleteObjects } from '../../src/write/remove/delete-objects.ts'
import { runWrite } from '../../src/write/run.ts'
import { updateObjects } from '../../src/write/update-objects.ts'
import { startBucket } from '../support/bucket.ts'
import { openTestDatabase } from '../support/database.ts'
import { TESTER } from '../support/inventory.ts'
import { toyRegistry } from './toy.ts'

describe('writing a toy model', () => {
  let database: Database
  let service: Service
  let directory: string
  const actor = TESTER

  beforeAll(async () => {
    database = await openTestDatabase()
    const registry = toyRegistry()
    await migrate(database, registry)
    directory = await mkdtemp(join(tmpdir(), 'cadastre-write-'))
    service = createService(registry, database, readSettings({ DATA_DIR: directory }))
  })
  afterAll(async () => {
    await database.close()
    await rm(directory, { recursive: true })
  })

  const run = <T>(work: (context: WriteContext) => Promise<T>) =>
    runWrite(service, { actor, requestId: randomUUID() }, work)
  const create = (model: string, ...bodies: unknown[]) =>
    run((context) => createObjects(context, service.registry.model(model), bodies, { bulk: bodies.length > 1 }))
  const one = async (model: string, body: unknown): Promise<number> => {
    const [id = 0] = await create(model, body)
    return id
  }
  const change = (model: string, id: number, body: unknown) =>
    run((context) =>
      updateObjects(context, service.registry.model(model), [{ id, body }], {
        partial: true,
        bulk: false,
      }),
    )
  const remove = (model: string, ...ids: number[]) =>
    run((context) =>
      deleteObjects(
        context,
        service.registry.model(model),
        ids.map((id) => ({ id })),
        {
          bulk: true,
        },
      ),
    )
  const messagesOf = async (work: Promise<unknown>): Promise<Messages | undefined> => {
    const error = await work.then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    if (error instanceof ApiError && error.reason.kind === 'invalid') return error.reason.messages
    if (error instanceof ApiError) return { [error.reason.kind]: error.message }
    throw error ?? new Error('Nothing was refused')
  }
  const keysOf = async (work: Promise<unknown>) => Object.keys((await messagesOf(work)) ?? {}).sort()
  const row = async (name: string, id: number) => {
    const [found] = await database.query(sql`select to_jsonb(t) as row from ${table(`toy.${name}`)} t where id = ${id}`)
    return found && JSON.parse(String(found.row))
  }
  const changesOf = async (type: string, id: number) =>
    await database.query(sql`select action, message, prechange_data as before, postchange_data as after
      from core_objectchange where changed_object_type = ${type} and changed_object_id = ${id} order by time`)

  describe('field errors', () => {
    // body of a site besides name and slug → field of the error
    const cases: readonly [unknown, string[]][] = [
      [{ status: 'nope' }, ['status']],
      [{ status: { value: 'active' } }, ['status']],
      [{ status: '' }, ['status']],
      [{ latitude: 'abc' }, ['latitude']],
      [{ latitude: 99999999999 }, ['latitude']],
      [{ latitude: 1.123456789 }, ['latitude']],
      [{ region: 987654321 }, ['region']],
      [{ region: { name: 'nowhere' } }, ['region']],
      [{ region: 'abc' }, ['region']],
      [{ region: { nofield: 1 } }, ['region']],
      [{ region: [1] }, ['region']],
      [{ asns: [987654321] }, ['asns']],
      [{ asns: 'abc' }, ['asns']],
      [{ asns: null }, ['asns']],
      [{ tags: [{ name: 'nope' }] }, ['tags']],
      [{ tags: ['nope'] }, ['tags']],
      [{ custom_fields: 'x' }, ['custom_fields']],
      [{ custom_fields: { nope: 1 } }, ['custom_fields']],
      [{ facility: 'x'.repeat(51) }, ['facility']],
      [{ facility: 'a\0b' }, ['facility']],
      [{ name: null }, ['name']],
      [{ name: '  ' }, ['name']],
      [{ name: true, slug: 'not a slug!' }, ['name', 'slug']],
      [{ name: 'forbidden' }, ['name']],
    ]
    test.each(cases)('%j is refused on %j', async (body, expected) => {
      const base = { name: 'Refused', slug: 'refused' }
      expect(await keysOf(create('toy.site', { ...base, ...(body as object) }))).toEqual(expected)
    })

    test.each([['text'], [5], [null], [[]]])('a body %j is refused as a whole', async (body) => {
      expect(await keysOf(create('toy.site', body))).toEqual(['non_field_errors'])
    })

    test('required fields are named all at once', async () => {
      expect(await messagesOf(create('toy.site', {}))).toEqual({
        name: ['This field is required.'],
        slug: ['This field is required.'],
      })
    })

    test('errors in a list of bodies have positions, with {} for valid bodies', async () => {
      const refused = await messagesOf(create('toy.site', { name: 'x', slug: 'x' }, {}))
      expect(refused).toEqual([{}, { name: ['This field is required.'], slug: ['This field is required.'] }])
    })
  })

  test('a site is stored with its defaults, relations, tags and a change record', async () => {
    const [asn1, asn2] = await create('toy.asn', { asn: 65001 }, { asn: 65000 })
    await create('extras.tag', { name: 'Red', slug: 'red' }, { name: 'Blue', slug: 'blue' })
    await one('toy.region', { name: 'Europe' })
    const id = await one('toy.site', {
      name: ' Main ',
      slug: 'main',
      region: { name: 'Europe' },
      latitude: '12.5',
      asns: [asn1, asn2],
      tags: [{ slug: 'red' }, { name: 'Blue' }],
      changelog_message: 'made here',
    })
    const stored = await row('site', id)
    expect(stored).toMatchObject({ name: 'Main', status: 'active', facility: '', latitude: 12.5 })
    expect(stored.created).toBe(stored.last_updated)
    const [record, ...more] = await changesOf('toy.site', id)
    expect(more).toEqual([])
    expect(record).toMatchObject({ action: 'create', message: 'made here', before: '{}' })
    expect(JSON.parse(String(record?.after))).toMatchObject({
      name: 'Main',
      latitude: '12.500000',
      // Many-to-many fields are in the order of the related model.
      asns: [asn2, asn1],
      tags: ['Blue', 'Red'],
      device_count: 0,
      custom_fields: {},
    })
    expect(JSON.parse(String(record?.after))).not.toHaveProperty('last_updated')
  })

  test('a change is logged once, and one that changes nothing is not', async () => {
    const id = await one('toy.site', { name: 'Change', slug: 'change' })
    await change('toy.site', id, {})
    await change('toy.site', id, { add_tags: [{ slug: 'red' }], facility: 'F' })
    await change('toy.site', id, { remove_tags: [{ slug: 'red' }] })
    const records = await changesOf('toy.site', id)
    expect(records.map(({ action }) => action)).toEqual(['create', 'update', 'update'])
    expect(JSON.parse(String(records[1]?.before))).toMatchObject({ tags: [], facility: '' })
    expect(JSON.parse(String(records[1]?.after))).toMatchObject({ tags: ['Red'], facility: 'F' })
    expect(JSON.parse(String(records[2]?.after))).toMatchObject({ tags: [], facility: 'F' })
  })

  test('tags, add_tags and remove_tags exclude each other', async () => {
    const id = await one('toy.site', { name: 'Tags', slug: 'tags' })
    const red = [{ slug: 'red' }]
    expect(await keysOf(change('toy.site', id, { tags: red, add_tags: red }))).toEqual(['tags'])
    expect(await keysOf(change('toy.site', id, { add_tags: red, remove_tags: red }))).toEqual(['remove_tags'])
    expect(await keysOf(create('toy.site', { name: 'T', slug: 't', remove_tags: red }))).toEqual(['remove_tags'])
    await create('extras.tag', { name: 'Only', slug: 'only', object_types: ['toy.device'] })
    expect(await keysOf(change('toy.site', id, { tags: [{ slug: 'only' }] }))).toEqual(['malformed'])
  })

  test.each([
    ['set nothing', { tags: [], add_tags: [], remove_tags: [] }, []],
    ['add beside an empty set', { tags: [], add_tags: [{ slug: 'red' }], remove_tags: [] }, ['Red']],
    ['set beside empty changes', { tags: [{ slug: 'blue' }], add_tags: [], remove_tags: [] }, ['Blue']],
    ['change nothing', { add_tags: [], remove_tags: [] }, ['Red']],
  ])('lists of tags that are empty contradict no others: they %s', async (effect, body, expected) => {
    const slug = effect.replaceAll(' ', '-')
    const empty = { tags: [], add_tags: [], remove_tags: [] }
    const [id = 0] = await create('toy.site', { name: slug, slug, ...empty })
    await change('toy.site', id, { add_tags: [{ slug: 'red' }] })
    await change('toy.site', id, body)
    const last = (await changesOf('toy.site', id)).at(-1)
    expect(JSON.parse(String(last?.after))).toMatchObject({ tags: expected })
  })

  test('an object that is refused as a duplicate uses no id', async () => {
    const before = await one('toy.site', { name: 'Before', slug: 'before' })
    await keysOf(create('toy.site', { name: 'Between', slug: 'between' }, { name: 'Before', slug: 'x' }))
    expect(await one('toy.site', { name: 'After', slug: 'after' })).toBe(before + 1)
  })

  test('uniqueness is checked against what is stored and within the batch', async () => {
    const site = await one('toy.site', { name: 'Unique', slug: 'unique' })
    expect(await keysOf(create('toy.site', { name: 'Unique', slug: 'unique' }))).toEqual(['name', 'slug'])
    expect(await messagesOf(create('toy.site', { name: 'A1', slug: 'a1' }, { name: 'A1', slug: 'a2' }))).toEqual([
      {},
      { name: ['site with this name already exists.'] },
    ])
    await one('toy.device', { name: 'Router', site })
    expect(await keysOf(create('toy.device', { name: 'ROUTER', site }))).toEqual(['__all__'])
    const ids = await create('toy.device', { site }, { site, asset_tag: '' }, { site, asset_tag: '' })
    expect(ids).toHaveLength(3)
    expect(await row('site', site)).toMatchObject({ device_count: 4 })
  })

  test('rules see the whole batch and send their queries once', async () => {
    await one('toy.site', { name: 'Namesake', slug: 'namesake', facility: 'Taken' })
    const bodies = Array.from({ length: 3 }, (_, index) => ({
      name: `Free ${index}`,
      slug: `free-${index}`,
    }))
    expect(await messagesOf(create('toy.site', ...bodies, { name: 'Taken', slug: 'taken' }))).toEqual([
      {},
      {},
      {},
      { __all__: ['Namesake has that facility, of 4.'] },
    ])
  })

  test('trees keep depth, ancestors and names through moves and renames', async () => {
    // Nodes with equal names are ordered by their ids, which sort as text too.
    const place = (id: number) => String(id).padStart(19, '0')
    const a = await one('toy.region', { name: 'A' })
    const b = await one('toy.region', { name: 'B', parent: a })
    const c = await one('toy.region', { name: 'C', parent: { name: 'B' } })
    expect(await row('region', c)).toMatchObject({
      _level: 2,
      _ancestors: [a, b, c],
      _sort: ['A', place(a), 'B', place(b), 'C', place(c)],
    })
    expect(await keysOf(change('toy.region', a, { parent: c }))).toEqual(['parent'])
    expect(await keysOf(change('toy.region', b, { parent: b }))).toEqual(['parent'])
    await run((context) =>
      updateObjects(
        context,
        service.registry.model('toy.region'),
        [
          { id: c, body: { name: 'CC' } },
          { id: b, body: { parent: null, name: 'BB' } },
        ],
        { partial: true, bulk: true },
      ),
    )
    expect(await row('region', c)).toMatchObject({
      _level: 1,
      _ancestors: [b, c],
      _sort: ['BB', place(b), 'CC', place(c)],
    })
    expect(await row('region', b)).toMatchObject({ _level: 0, _ancestors: [b] })
    expect(await keysOf(create('toy.region', { name: 'A' }))).toEqual(['__all__'])
  })

  test('a generic relation requires both parts and an existing object', async () => {
    const id = await one('toy.site', { name: 'Noted', slug: 'noted' })
    const note = (subject: object) => create('toy.note', { text: 'n', ...subject })
    expect(await keysOf(note({ subject_type: 'toy.site' }))).toEqual(['subject_id'])
    expect(await keysOf(note({ subject_type: 'toy.asn', subject_id: 1 }))).toEqual(['subject_type'])
    expect(await keysOf(note({ subject_type: 'toy.site', subject_id: 987654321 }))).toEqual(['subject_id'])
    const [noteId = 0] = await note({
      subject_type: 'toy.site',
      subject_id: id,
      prefixes: ['10.1.2.3/8'],
      network: '2001:DB8::/32',
    })
    expect(await row('note', noteId)).toMatchObject({
      prefixes: ['10.0.0.0/8'],
      network: '2001:db8::/32',
    })
    await remove('toy.site', id)
    expect(await row('note', noteId)).toBeUndefined()
    const [record] = await changesOf('toy.note', noteId)
    expect(record?.action).toBe('create')
    expect((await changesOf('toy.note', noteId)).at(-1)?.action).toBe('delete')
  })

  test('each change record has one event, in the order of the records', async () => {
    const names = ['First', 'Second', 'Third']
    const bodies = names.map((name) => ({ name, slug: name.toLowerCase() }))
    const ids = await create('toy.site', ...bodies)
    await messagesOf(create('toy.site', { name: 'First', slug: 'other' }))
    const events = await database.query(sql`
      select e.kind, e.position, e.payload, c.changed_object_id as id, c.action from core_event e
      join core_objectchange c on c.id between e.change and e.change + e.count - 1
      where c.changed_object_id = any(${ids}::bigint[]) order by e.id, c.id`)
    expect(events).toEqual(ids.map((id) => ({ kind: 'change', position: null, payload: null, id, action: 'create' })))
    const [count] = await database.query(sql`
      select (select sum(count) from core_event) as events, (select count(*) from core_objectchange) as records`)
    expect(count?.events).toBe(count?.records)
  })

  test('deletions are refused, clear relations or cascade', async () => {
    const region = await one('toy.region', { name: 'Gone' })
    const below = await one('toy.region', { name: 'Below', parent: region })
    const site = await one('toy.site', { name: 'Stays', slug: 'stays', region: below })
    const device = await one('toy.device', { name: 'Holder', site })
    expect(await keysOf(remove('toy.site', site))).toEqual(['inUse'])
    await remove('toy.region', region, 987654321)
    expect(await row('region', below)).toBeUndefined()
    expect(await row('site', site)).toMatchObject({ region_id: null })
    expect((await changesOf('toy.site', site)).at(-1)?.action).toBe('update')
    const order = await database.query(sql`select changed_object_id as id from core_objectchange
      where action = 'delete' and changed_object_type = 'toy.region' order by time desc limit 2`)
    expect(order.map(({ id }) => id)).toEqual([region, below])
    await remove('toy.device', device)
    expect(await row('site', site)).toMatchObject({ device_count: 0 })
    await remove('toy.site', site)
    expect(await row('site', site)).toBeUndefined()
  })

  describe('custom fields', () => {
    beforeAll(async () => {
      const types = { object_types: ['toy.device'] }
      await create(
        'extras.customfield',
        { name: 'rank', type: 'integer', default: 7, validation_maximum: 10, ...types },
        { name: 'code', type: 'text', unique: true, validation_regex: '^[a-z]+', ...types },
        { name: 'home', type: 'object', related_object_type: 'toy.site', ...types },
        { name: 'since', type: 'datetime', ...types },
        {
          name: 'shape',
          type: 'json',
          validation_schema: { type: 'object', required: ['a'] },
          ...types,
        },
      )
      await create('toy.site', { name: 'Home', slug: 'home' })
    })

    const cases: readonly [unknown, string[]][] = [
      [{ rank: 11 }, ['__all__']],
      [{ rank: '7' }, ['__all__']],
      [{ rank: true }, ['__all__']],
      [{ code: '5' }, ['__all__']],
      [{ home: 987654321 }, ['custom_fields']],
      [{ home: 'x' }, ['custom_fields']],
      [{ since: '2024-13-01' }, ['__all__']],
      [{ shape: {} }, ['__all__']],
    ]
    test.each(cases)('%j is refused on %j', async (custom_fields, expected) => {
      const body = { site: { slug: 'home' }, custom_fields }
      expect(await keysOf(create('toy.device', body))).toEqual(expected)
    })

    test('values are merged with the stored ones, and defaults are filled in', async () => {
      const id = await one('toy.device', {
        site: { slug: 'home' },
        custom_fields: { home: { name: 'Home' }, since: '2024-02-29 12:34:56' },
      })
      const { id: home } =
        (await database.query<{ id: number }>(sql`select id from toy_site where slug = 'home'`))[0] ?? {}
      const stored = await row('device', id)
      expect(stored.custom_field_data).toEqual({ rank: 7, home, since: '2024-02-29T12:34:56' })
      await change('toy.device', id, { custom_fields: { rank: null, code: 'abc' } })
      expect((await row('device', id)).custom_field_data).toEqual({
        rank: null,
        code: 'abc',
        home,
        since: '2024-02-29T12:34:56',
      })
      expect(await keysOf(create('toy.device', { site: { slug: 'home' }, custom_fields: { code: 'abc' } }))).toEqual([
        '__all__',
      ])
    })
  })

  test('two concurrent writers get the same results as one after the other', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 4 }, () => create('toy.site', { name: 'Race', slug: 'race' })),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') {
        expect(outcome.reason).toMatchObject({ reason: { kind: 'invalid' } })
      }
    }
  })

  describe.each(['directory', 'bucket'])('pictures in a %s', (place) => {
    beforeAll(async () => {
      if (place === 'directory') return
      const before = service
      const bucket = await startBucket()
      const settings = readSettings({ DATA_DIR: directory, MEDIA_ROOT: bucket.url, ...bucket.keys })
      service = createService(service.registry, database, settings)
      return async () => {
        service = before
        await bucket.remove()
      }
    })
    const files = () => mediaStore(service.settings).list()
    const photoOf = (bytes: Uint8Array) => ({ image: new UploadedFile('../Front view.png', bytes) })
    const dot = (width: number) =>
      sharp({ create: { width, height: 2, channels: 3, background: 'red' } })
        .png()
        .toBuffer()

    test('are decoded, stored under a generated name, and deleted with their object', async () => {
      const id = await one('toy.photo', photoOf(await dot(3)))
      expect(await row('photo', id)).toMatchObject({
        image: 'photos/Front_view.png',
        image_width: 3,
        image_height: 2,
      })
      await change('toy.photo', id, photoOf(await dot(5)))
      const { image } = await row('photo', id)
      expect(image).toMatch(/^photos\/Front_view_\w+\.png$/)
      expect(await files()).toEqual([image])
      await remove('toy.photo', id)
      expect(await files()).toEqual([])
    })

    test('that are not images are refused, and no file remains after a rollback', async () => {
      expect(await keysOf(create('toy.photo', photoOf(Buffer.from('text'))))).toEqual(['image'])
      expect(await keysOf(create('toy.photo', { image: 'text' }))).toEqual(['image'])
      const picture = photoOf(await dot(1))
      await expect(
        run(async (context) => {
          await createObjects(context, service.registry.model('toy.photo'), [picture], {
            bulk: false,
          })
          throw new Error('on purpose')
        }),
      ).rejects.toThrow('on purpose')
      expect(await files()).toEqual([])
    })
  })

  test('the number of statements does not depend on the size of the batch', async () => {
    const counts: number[] = []
    // A single row needs no order, and therefore one statement less.
    for (const size of [2, 10, 100]) {
      let count = 0
      const bodies = Array.from({ length: size }, (_, index) => ({
        name: `Batch ${size}-${index}`,
        slug: `batch-${size}-${index}`,
        tags: [{ slug: 'red' }],
        region: { name: 'A' },
      }))
      const counting =
        <Result>(ask: (statement: Sql) => Promise<Result>) =>
        (statement: Sql): Promise<Result> => {
          count += 1
          return ask(statement)
        }
      const counted = (transaction: Transaction): Transaction => ({
        ...transaction,
        query: counting(transaction.query) as Transaction['query'], // generic in its rows only
        queryArrays: counting(transaction.queryArrays),
        queryColumn: counting(transaction.queryColumn),
        execute: counting(transaction.execute),
      })
      await run(async (context) => {
        const model = service.registry.model('toy.site')
        const within = { ...context, transaction: counted(context.transaction) }
        const ids = await createObjects(within, model, bodies, { bulk: true })
        const changes = ids.map((id) => ({
          id,
          body: { facility: 'x', add_tags: [{ slug: 'blue' }] },
        }))
        await updateObjects(within, model, changes, { partial: true, bulk: true })
        await deleteObjects(
          within,
          model,
          ids.map((id) => ({ id })),
          { bulk: true },
        )
      })
      counts.push(count)
    }
    expect(new Set(counts).size).toBe(1)
  })
})
