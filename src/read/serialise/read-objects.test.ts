import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestDatabase } from '../../../test/support/database.ts'
import { readSettings } from '../../config/settings.ts'
import type { Database } from '../../db/database.ts'
import { choices } from '../../schema/choices.ts'
import {
  address,
  boolean,
  choice,
  computed,
  counter,
  customFields,
  dateTime,
  decimal,
  derived,
  derivedKey,
  file,
  foreignKey,
  genericForeignKey,
  hardwareAddress,
  integer,
  json,
  list,
  manyToMany,
  network,
  objectTypes,
  relatedCount,
  reverse,
  subtreeCount,
  tags,
  text,
} from '../../schema/field.ts'
import { model } from '../../schema/model.ts'
import { buildRegistry } from '../../schema/registry.ts'
import { createService, type Service } from '../../service.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import type { Queryable, Row } from '../../sql/queryable.ts'
import { updateTable } from '../../sql/table.ts'
import { projectionOf } from './projection.ts'
import { fetchObjects } from './read-objects.ts'
import { committedData, dataWithin, type ReadSource } from './read-source.ts'

const status = choices([
  ['on', 'On air'],
  ['off', 'Off "air"'],
])

const area = model({
  name: 'toy.area',
  path: 'toy/areas',
  labels: ['area', 'areas'],
  fields: {
    name: text({}),
    parent: foreignKey('toy.area', { onDelete: 'cascade', nullable: true, related: 'children' }),
    box_count: subtreeCount('toy.box', 'area'),
    own_box_count: relatedCount('toy.box', 'area'),
    _depth: derived('integer', (column) => column('_level')),
  },
  display: '{name}',
  brief: ['id', 'url', 'display', 'name', 'box_count', 'own_box_count', '_depth'],
  order: ['name'],
  tree: { parent: 'parent', orderBy: 'name' },
})

const box = model({
  name: 'toy.box',
  path: 'toy/boxes',
  page: 'toy/crates',
  labels: ['box', 'boxes'],
  fields: {
    name: text({ nullable: true }),
    area: foreignKey('toy.area', { onDelete: 'protect', nullable: true }),
    bare_area: foreignKey('toy.area', {
      onDelete: 'protect',
      nullable: true,
      bare: true,
      related: '+',
    }),
    status: choice(status, { nullable: true, blank: true }),
    height: decimal({ digits: 4, places: 1, nullable: true }),
    is_open: boolean({ default: false }),
    made: dateTime({ nullable: true }),
    data: json({ nullable: true }),
    host: address({ nullable: true }),
    net: network({ nullable: true }),
    mac: hardwareAddress({ bytes: 6, nullable: true }),
    picture: file({ image: true, directory: 'boxes', nullable: true }),
    ranges: list('range', { nullable: true }),
    pairs: list('textPair', { nullable: true }),
    facts: list('json', { nullable: true }),
    kinds: objectTypes({ default: [] }),
    owner: genericForeignKey(['toy.area', 'toy.box'], { nullable: true, onDelete: 'keep' }),
    friends: manyToMany('toy.box', { related: '+' }),
    labels: manyToMany('extras.tag', { related: '+', write: 'slug' }),
    loud_name: derived('text', (column) => sql`upper(${column('name')})`, { nullable: true }),
    size: derived('integer', (column) => column('id'), { choices: choices([[1, 'One']]) }),
    root: derivedKey(
      'toy.area',
      (column) => sql`(select a._ancestors[1] from toy_area a where a.id = ${column('area')} and a._level > 0)`,
      { projection: ['name', ['parent', 'bare']] },
    ),
    held: reverse('toy.box', 'owner', { projection: ['id', 'name'] }),
    twin: reverse('toy.box', 'friends', {
      projection: ['name', ['status', 'bare'], ['area', ['id']], ['size', 'bare']],
      single: true,
    }),
    lid_count: counter('toy.box', 'area'),
    square: computed({ type: 'integer' }, async (ids) => new Map(ids.map((id) => [id, `${id * id}`])), {
      excludable: true,
    }),
    place_and_level: computed(
      { type: 'string' },
      async (_ids, _context, rows = Promise.resolve([])) =>
        new Map((await rows).map(([id, area, level]) => [Number(id), `"${area} ${level}"`])),
      { columns: ['area', 'level'] },
    ),
    level: integer({ hidden: true, default: 0 }),
    tags: tags(),
    custom_fields: customFields(),
  },
  display: '{name}[ in {area}]',
  brief: ['id', 'url', 'display', 'name'],
  order: ['name'],
})

const tag = model({
  name: 'extras.tag',
  path: 'extras/tags',
  labels: ['tag', 'tags'],
  fields: { name: text({}), slug: text({}), color: text({}), weight: integer({}) },
  display: '{name}',
  brief: ['id', 'url', 'display', 'name'],
  order: ['weight', 'name'],
})

const taggedItem = model({
  name: 'extras.taggeditem',
  labels: ['tagged item', 'tagged items'],
  fields: {
    object_type: text({}),
    object_id: integer({}),
    tag: foreignKey('extras.tag', { onDelete: 'cascade' }),
  },
  display: '{id}',
  brief: ['id'],
  order: ['id'],
})

const customField = model({
  name: 'extras.customfield',
  labels: ['custom field', 'custom fields'],
  fields: { name: text({}) },
  display: '{name}',
  brief: ['id'],
  order: ['name'],
})

const choiceSet = model({
  name: 'extras.customfieldchoiceset',
  labels: ['choice set', 'choice sets'],
  fields: { name: text({}) },
  brief: ['id'],
  order: ['name'],
})

const registry = buildRegistry([area, box, tag, taggedItem, customField, choiceSet])

const TABLES = `
  create table toy_area (id bigint primary key, name text, parent_id bigint, _level int,
    _ancestors bigint[], _sort text[]);
  create table toy_box (id bigint primary key, name text, area_id bigint, bare_area_id bigint,
    status text, height numeric(4,1), is_open boolean default false, made timestamptz, data jsonb,
    host inet, net cidr, mac macaddr, picture text, ranges int4range[], pairs text[][], facts jsonb[],
    kinds text[] default '{}', owner_type text, owner_id bigint, lid_count bigint default 0,
    level int default 0, custom_field_data jsonb not null default '{}');
  create table toy_box_friends (from_box_id bigint, to_box_id bigint);
  create table toy_box_labels (box_id bigint, tag_id bigint);
  create table extras_tag (id bigint primary key, name text, slug text, color text, weight int);
  create table extras_taggeditem (id bigint generated by default as identity, object_type text,
    object_id bigint, tag_id bigint);
  create table extras_customfield (id bigint primary key, name text, type text,
    related_object_type text, object_types text[], group_name text, weight int, choice_set_id bigint);
  create table extras_customfieldchoiceset (id bigint primary key, base_choices text, extra_choices text[][]);
  insert into toy_area values
    (1, 'Earth', null, 0, '{1}', '{Earth}'), (2, 'Åland', 1, 1, '{1,2}', '{Earth,Åland}');
  insert into toy_box (id, name, area_id, bare_area_id, status, height, is_open, made, data, host, net,
    mac, picture, ranges, pairs, facts, kinds, owner_type, owner_id, lid_count, custom_field_data)
  values (1, 'say "hi"', 2, 1, 'off', 4.0, true, '2020-12-20 00:00:00.5+00', '{"b": [1, null]}',
    '192.0.2.1/32', '10.0.0.0/8', 'aa:bb:cc:dd:ee:ff', 'boxes/ä.png', '{"[1,5)","[7,8)"}',
    '{{a,A},{b,B}}', array['{"x": 1}', '"y"']::jsonb[], '{toy.box,toy.area}', 'toy.area', 2, 3,
    '{"note": "x", "other": 5, "place": 1, "places": [2, 1, 99], "gone": 99, "lost": [99], "plain": [3]}');
  insert into toy_box (id, name, status, owner_type, owner_id, area_id, picture) values
    (2, 'b2', '', 'toy.box', 1, 2, ''), (3, 'b10', 'stale', 'toy.box', 1, 1, null),
    (4, null, null, 'toy.gone', 1, null, null);
  insert into toy_box_friends values (1, 2), (1, 3), (3, 1), (2, 1);
  insert into extras_tag values (1, 'zeta', 'z', 'ff0000', 1), (2, 'alpha', 'a', '00ff00', 1),
    (3, 'first', 'f', '0000ff', 0);
  insert into toy_box_labels values (1, 1), (1, 3), (2, 2);
  insert into extras_taggeditem (object_type, object_id, tag_id) values
    ('toy.box', 1, 1), ('toy.box', 1, 2), ('toy.box', 1, 3), ('toy.area', 1, 1);
  insert into extras_customfield values
    (1, 'note', 'text', null, '{toy.box}', '', 200), (2, 'unset', 'text', null, '{toy.box}', '', 100),
    (3, 'place', 'object', 'toy.area', '{toy.box}', 'Z', 1),
    (4, 'places', 'multiobject', 'toy.area', '{toy.box}', 'Z', 1),
    (5, 'gone', 'object', 'toy.area', '{toy.box}', 'A', 1),
    (8, 'lost', 'multiobject', 'toy.area', '{toy.box}', 'A', 1),
    (6, 'plain', 'json', null, '{toy.box}', 'A', 1),
    (7, 'other', 'integer', null, '{toy.area}', '', 1);
`

const BASE = 'http://x/base'
const EARTH = `{"id":1,"url":"${BASE}/api/toy/areas/1/","display":"Earth","name":"Earth","box_count":0,"_depth":0}`
const ALAND = `{"id":2,"url":"${BASE}/api/toy/areas/2/","display":"Åland","name":"Åland","box_count":0,"_depth":1}`
const boxText = (id: number, display: string, name: string) =>
  `{"id":${id},"url":"${BASE}/api/toy/boxes/${id}/","display":${display},"name":${name}}`
const tagText = (id: number, name: string, slug: string, color: string) =>
  `{"id":${id},"url":"${BASE}/api/extras/tags/${id}/","display_url":"${BASE}/extras/tags/${id}/","display":"${name}","name":"${name}","slug":"${slug}","color":"${color}"}`
const FIRST = boxText(1, '"say \\"hi\\" in Åland"', '"say \\"hi\\""')
const SECOND = boxText(2, '"b2 in Åland"', '"b2"')
const THIRD = boxText(3, '"b10 in Earth"', '"b10"')

// Model, field, texts by id (of ids 1, 2, 3, 4 or those that exist).
const cases: readonly (readonly [string, string, readonly string[]])[] = [
  ['toy.box', 'id', ['1', '2', '3', '4']],
  ['toy.box', 'url', [1, 2, 3, 4].map((id) => `"${BASE}/api/toy/boxes/${id}/"`)],
  ['toy.box', 'display_url', [1, 2, 3, 4].map((id) => `"${BASE}/toy/crates/${id}/"`)],
  ['toy.box', 'name', ['"say \\"hi\\""', '"b2"', '"b10"', 'null']],
  ['toy.box', 'area', [ALAND, ALAND, EARTH, 'null']],
  ['toy.box', 'bare_area', ['1', 'null', 'null', 'null']],
  [
    'toy.box',
    'status',
    ['{"value":"off","label":"Off \\"air\\""}', 'null', '{"value":"stale","label":"stale"}', 'null'],
  ],
  ['toy.box', 'height', ['4.0', 'null', 'null', 'null']],
  ['toy.box', 'is_open', ['true', 'false', 'false', 'false']],
  ['toy.box', 'made', ['"2020-12-20T00:00:00.500000Z"', 'null', 'null', 'null']],
  ['toy.box', 'data', ['{"b": [1, null]}', 'null', 'null', 'null']],
  ['toy.box', 'host', ['"192.0.2.1/32"', 'null', 'null', 'null']],
  ['toy.box', 'net', ['"10.0.0.0/8"', 'null', 'null', 'null']],
  ['toy.box', 'mac', ['"AA:BB:CC:DD:EE:FF"', 'null', 'null', 'null']],
  ['toy.box', 'picture', [`"${BASE}/media/boxes/%C3%A4.png"`, 'null', 'null', 'null']],
  ['toy.box', 'ranges', ['[[1,4],[7,7]]', 'null', 'null', 'null']],
  ['toy.box', 'pairs', ['[["a","A"],["b","B"]]', 'null', 'null', 'null']],
  ['toy.box', 'facts', ['[{"x": 1}, "y"]', 'null', 'null', 'null']],
  ['toy.box', 'kinds', ['["toy.box","toy.area"]', '[]', '[]', '[]']],
  ['toy.box', 'owner_type', ['"toy.area"', '"toy.box"', '"toy.box"', '"toy.gone"']],
  ['toy.box', 'owner_id', ['2', '1', '1', '1']],
  ['toy.box', 'owner', [ALAND, FIRST, FIRST, 'null']],
  ['toy.box', 'friends', [`[${THIRD},${SECOND}]`, `[${FIRST}]`, `[${FIRST}]`, '[]']],
  ['toy.box', 'labels', ['["f","z"]', '["a"]', '[]', '[]']],
  ['toy.box', 'loud_name', ['"SAY \\"HI\\""', '"B2"', '"B10"', 'null']],
  [
    'toy.box',
    'size',
    ['{"value":1,"label":"One"}', '{"value":2,"label":"2"}', '{"value":3,"label":"3"}', '{"value":4,"label":"4"}'],
  ],
  ['toy.box', 'root', ['{"name":"Earth","parent":null}', '{"name":"Earth","parent":null}', 'null', 'null']],
  ['toy.box', 'held', ['[{"id":3,"name":"b10"},{"id":2,"name":"b2"}]', '[]', '[]', '[]']],
  [
    'toy.box',
    'twin',
    [
      '{"name":"b10","status":"stale","area":{"id":1},"size":3}',
      '{"name":"say \\"hi\\"","status":"off","area":{"id":2},"size":1}',
      '{"name":"say \\"hi\\"","status":"off","area":{"id":2},"size":1}',
      'null',
    ],
  ],
  ['toy.box', 'lid_count', ['3', '0', '0', '0']],
  ['toy.box', 'square', ['1', '4', '9', '16']],
  ['toy.box', 'place_and_level', ['"2 0"', '"2 0"', '"1 0"', '"null 0"']],
  [
    'toy.box',
    'tags',
    [
      `[${tagText(3, 'first', 'f', '0000ff')},${tagText(2, 'alpha', 'a', '00ff00')},${tagText(1, 'zeta', 'z', 'ff0000')}]`,
      '[]',
      '[]',
      '[]',
    ],
  ],
  [
    'toy.box',
    'custom_fields',
    [
      `{"unset":null,"note":"x","gone":null,"lost":[],"plain":[3],"place":${EARTH},"places":[${ALAND},${EARTH}]}`,
      ...Array(3).fill('{"unset":null,"note":null,"gone":null,"lost":null,"plain":null,"place":null,"places":null}'),
    ],
  ],
  ['toy.area', 'box_count', ['3', '2']],
  ['toy.area', 'own_box_count', ['1', '2']],
  ['toy.area', '_depth', ['0', '1']],
  ['toy.area', 'parent', ['null', EARTH]],
]

describe('output', () => {
  let database: Database
  let service: Service

  beforeAll(async () => {
    database = await openTestDatabase()
    await database.script(`create collation natural_sort (provider = icu, locale = 'und-u-kn-true')`)
    await database.script(TABLES)
    service = createService(registry, database, readSettings({}))
  })
  afterAll(() => database.close())

  const projection = (name: string, fields?: readonly string[]) =>
    projectionOf(service, registry.model(name), { fields, brief: false, excludeContext: false })

  const show = async (name: string, field: string, source = committedData(service)) => {
    const texts = await fetchObjects(source, [1, 2, 3, 4], projection(name, [field]), BASE)
    return [...texts].toSorted(([a], [b]) => a - b).map(([, text]) => text)
  }

  it.each(cases)('shows %s %s', async (name, field, texts) => {
    const expected = texts.map((text) => `{${JSON.stringify(field)}:${text}}`)
    expect(await show(name, field)).toEqual(expected)
    // The second time the cached text is returned.
    expect(await show(name, field)).toEqual(expected)
  })

  it('writes all fields in the order of the declaration, as one JSON document', async () => {
    const texts = await fetchObjects(committedData(service), [1], projection('toy.box'), BASE)
    const object = JSON.parse(texts.get(1) ?? '')
    expect(Object.keys(object)).toEqual(registry.model('toy.box').answer)
  })

  it('shows an empty object if no field is wanted', async () => {
    const texts = await fetchObjects(committedData(service), [1], projection('toy.box', ['nonsense']), BASE)
    expect([...texts.values()]).toEqual(['{}'])
  })

  it('keeps any base URL inside its JSON string', async () => {
    const texts = await fetchObjects(committedData(service), [1], projection('toy.box', ['url']), 'http://"$&')
    expect(JSON.parse(texts.get(1) ?? '')).toEqual({ url: 'http://"$&/api/toy/boxes/1/' })
  })

  it.each(['http://one', 'http://two'])('begins the URLs of nested objects with %s', async (base) => {
    const texts = await fetchObjects(committedData(service), [3], projection('toy.box', ['area']), base)
    expect(JSON.parse(texts.get(3) ?? '').area.url).toBe(`${base}/api/toy/areas/1/`)
  })

  it('sends a number of queries that does not grow with the rows', async () => {
    const questions = async (ids: readonly number[]) => {
      service.cache.clear()
      let count = 0
      const counted = {
        ...database,
        query: <T extends Row>(statement: Sql) => {
          count++
          return database.query<T>(statement)
        },
        queryArrays: (statement: Sql) => {
          count++
          return database.queryArrays(statement)
        },
      }
      const source = { ...committedData(service), database: counted }
      await fetchObjects(source, ids, projection('toy.box'), BASE)
      return count
    }
    // If a relation is shown twice, its two loads may overlap, or the second finds the first one's rows in the cache.
    const [few, many] = [await questions([1, 2]), await questions([1, 2, 3, 4])]
    expect(Math.abs(many - few)).toBeLessThanOrEqual(1)
  })

  describe('a cached object', () => {
    const rename = (queryable: Queryable, name: string) =>
      queryable.execute(sql`${updateTable('toy.area')} set name = ${name} where id = 1`)
    const nameOfArea = async (source?: ReadSource) =>
      JSON.parse((await show('toy.box', 'area', source))[2] ?? '').area.name

    it('is read again once a commit has touched the model', async () => {
      expect(await nameOfArea()).toBe('Earth')
      await rename(database, 'Terra')
      service.cache.log.invalidate(['toy.area'])
      expect(await nameOfArea()).toBe('Terra')
      await rename(database, 'Earth')
      service.cache.log.invalidate(['toy.area'])
    })

    it('is read again once a model that its display name uses has changed', async () => {
      expect((await show('toy.box', 'owner'))[1]).toContain('in Åland')
      await database.execute(sql`${updateTable('toy.area')} set name = 'Ahvenanmaa' where id = 2`)
      service.cache.log.invalidate(['toy.area'])
      expect((await show('toy.box', 'owner'))[1]).toContain('in Ahvenanmaa')
      await database.execute(sql`${updateTable('toy.area')} set name = 'Åland' where id = 2`)
      service.cache.log.invalidate(['toy.area'])
    })

    it('neither hides changes from their own transaction nor shows them to other transactions', async () => {
      await nameOfArea()
      const undone = service.database.transaction(async (transaction) => {
        await rename(transaction, 'Nowhere')
        expect(await nameOfArea(dataWithin(service, transaction))).toBe('Nowhere')
        throw new Error('undone')
      })
      await expect(undone).rejects.toThrow('undone')
      expect(await nameOfArea()).toBe('Earth')
    })
  })
})
