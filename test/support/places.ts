import { readSettings } from '../../src/config/settings.ts'
import type { Database } from '../../src/db/database.ts'
import { choices } from '../../src/schema/choices.ts'
import {
  boolean,
  choice,
  customFields,
  date,
  dateTime,
  decimal,
  foreignKey,
  genericForeignKey,
  hardwareAddress,
  integer,
  json,
  list,
  manyToMany,
  objectTypes,
  relatedCount,
  slug,
  tags,
  text,
  uuid,
} from '../../src/schema/field.ts'
import { absent, custom, listContains, related, textFilter } from '../../src/schema/filter.ts'
import { model } from '../../src/schema/model.ts'
import { buildRegistry } from '../../src/schema/registry.ts'
import { createService, type Service } from '../../src/service.ts'
import { sql } from '../../src/sql/fragment.ts'

const named = { display: '{name}', brief: ['id', 'name'], order: ['name'] } as const

const area = model({
  ...named,
  order: ['_sort', 'id'],
  orderAsRelation: ['name'],
  name: 'toy.area',
  path: 'toy/areas',
  labels: ['area', 'areas'],
  fields: {
    name: text({}),
    slug: slug({}),
    parent: foreignKey('toy.area', { onDelete: 'cascade', nullable: true }),
  },
  tree: { parent: 'parent', orderBy: 'name' },
})

const keeper = model({
  ...named,
  name: 'toy.keeper',
  path: 'toy/keepers',
  labels: ['keeper', 'keepers'],
  fields: { name: text({}) },
})

const place = model({
  name: 'toy.place',
  path: 'toy/places',
  labels: ['place', 'places'],
  fields: {
    name: text({ collation: 'natural' }),
    code: text({ nullable: true }),
    note: text({ default: '' }),
    status: choice(
      choices([
        ['open', 'Open'],
        ['shut', 'Shut'],
      ]),
      {},
    ),
    shade: choice(
      choices([
        ['dark', 'Dark'],
        ['light', 'Light'],
      ]),
      { nullable: true },
    ),
    size: integer({ nullable: true }),
    ratio: decimal({ digits: 8, places: 4, nullable: true }),
    opened: date({ nullable: true }),
    is_free: boolean({}),
    mac: hardwareAddress({ bytes: 6, nullable: true }),
    area: foreignKey('toy.area', { onDelete: 'setNull', nullable: true }),
    keepers: manyToMany('toy.keeper', { table: 'toy_place_keepers' }),
    doors: list('integer', {}),
    tags: tags(),
    custom_fields: customFields(),
    details: json({ nullable: true }),
    created: dateTime({ nullable: true }),
    boxes: relatedCount('toy.box', 'place'),
  },
  display: '{name}[ ({code})]',
  brief: ['id', 'name'],
  order: ['name'],
  search: ['name', 'note', 'keepers.name'],
  features: ['changeLogging'],
  keyFilter: { prefix: 'detail_', field: 'details' },
  filters: {
    keeper: related('keepers', 'toy.keeper', 'name'),
    box: textFilter('boxed.label'),
    unboxed: absent('boxed'),
    door: listContains('doors', 'integer'),
    larger: custom({
      value: 'integer',
      multiple: false,
      where: ({ column }, [least]) => sql`${column('size')} > ${least}::int`,
    }),
  },
})

const box = model({
  name: 'toy.box',
  path: 'toy/boxes',
  labels: ['box', 'boxes'],
  fields: {
    label: text({}),
    place: foreignKey('toy.place', { onDelete: 'cascade', related: 'boxed' }),
  },
  display: '{place}: {label}',
  brief: ['id', 'label'],
  order: ['place', '-label'],
})

const tag = model({
  ...named,
  name: 'extras.tag',
  labels: ['tag', 'tags'],
  fields: { name: text({}), slug: slug({}) },
})

const taggedItem = model({
  name: 'extras.taggeditem',
  labels: ['tagged item', 'tagged items'],
  fields: {
    object_type: text({}),
    object_id: integer({}),
    tag: foreignKey('extras.tag', { onDelete: 'cascade', related: '+' }),
  },
  display: '{id}',
  brief: ['id'],
  order: ['id'],
})

const customField = model({
  ...named,
  name: 'extras.customfield',
  labels: ['custom field', 'custom fields'],
  fields: {
    name: text({}),
    type: text({}),
    filter_logic: text({}),
    object_types: objectTypes({}),
    related_object_type: text({ nullable: true }),
  },
})

const savedFilter = model({
  ...named,
  name: 'extras.savedfilter',
  labels: ['saved filter', 'saved filters'],
  fields: {
    name: text({}),
    slug: slug({}),
    shared: boolean({}),
    user: foreignKey('toy.keeper', { onDelete: 'cascade', nullable: true, related: '+' }),
    parameters: json({}),
  },
})

const change = model({
  name: 'core.objectchange',
  labels: ['change', 'changes'],
  fields: {
    request_id: uuid({}),
    action: text({}),
    changed_object: genericForeignKey(['toy.place'], { nullable: false }),
  },
  display: '{action}',
  brief: ['id'],
  order: ['id'],
})

export const places = buildRegistry([area, keeper, place, box, tag, taggedItem, customField, savedFilter, change])

/** A row of each kind, with everything that could trip up a lookup. */
const SCRIPT = `
  create collation natural_sort (provider = icu, locale = 'und@colNumeric=yes');
  create collation case_fold (provider = builtin, locale = 'C.UTF-8');
  create table toy_area (id bigint primary key, name text, slug text, parent_id bigint, _level int, _ancestors bigint[], _sort text[] collate natural_sort);
  create table toy_keeper (id bigint primary key, name text);
  create table toy_place (
    id bigint primary key, name text collate natural_sort, code text collate "C", status text, shade text, size int,
    ratio numeric(8,4), opened date, is_free boolean, mac macaddr, area_id bigint, doors int[],
    custom_field_data jsonb not null default '{}', created timestamptz, details jsonb,
    note text collate "C" not null default '');
  create table toy_place_keepers (place_id bigint, keeper_id bigint);
  create table toy_box (id bigint primary key, label text, place_id bigint);
  create table extras_tag (id bigint primary key, name text, slug text);
  create table extras_taggeditem (object_type text, object_id bigint, tag_id bigint);
  create table extras_customfield (id bigint primary key, name text, type text, filter_logic text, object_types text[], related_object_type text);
  create table extras_savedfilter (id bigint primary key, name text, slug text, shared boolean, user_id bigint, parameters jsonb);
  create table core_objectchange (id bigint primary key, request_id uuid, action text, changed_object_type text, changed_object_id bigint);
  insert into toy_area values
    (1, 'World', 'world', null, 0, '{1}', '{World}'),
    (2, 'North', 'north', 1, 1, '{1,2}', '{World,North}'),
    (3, 'South', 'south', 1, 1, '{1,3}', '{World,South}');
  insert into toy_keeper values (1, 'Ann'), (2, 'Bob');
  insert into toy_place values
    (1, 'item2', 'aß', 'open', 'dark', 5, 1.5, '2020-01-31', true, '00:11:22:33:44:55', 2, '{1,2}',
     '{"word": "Hello", "exact": "one", "number": 5, "many": ["s","m"], "ids": [1,2], "flag": true, "day": "2024-02-29", "moment": "2024-01-31T10:00:00Z"}', '2020-01-01T00:00:00Z'),
    (2, 'item10', 'b%_\\c', 'shut', null, 10, -2, '2021-06-01', false, 'aa:bb:cc:dd:ee:ff', 3, '{3}',
     '{"word": null, "exact": "two", "number": 7.5, "many": ["l"]}', '2020-01-02T12:00:00.5Z'),
    (3, 'Straße', null, 'open', 'light', null, null, null, true, null, null, '{}', '{}', null),
    (4, 'STRASSE', '', 'shut', null, -1, 0, '2020-02-01', false, null, 1, '{2}', '{"number": "odd"}', '2021-01-01T00:00:00Z');
  update toy_place set details = '{"watts": 500, "plug": {"kind": "C13"}}' where id = 1;
  update toy_place set details = '{"watts": "500", "plug": {"kind": "c19"}}' where id = 2;
  update toy_place set details = '{"watts": 90}' where id = 3;
  update toy_place set note = 'By the harbour' where id = 2;
  insert into toy_place_keepers values (1, 1), (1, 2), (2, 2);
  insert into toy_box values (1, 'red', 1), (2, 'blue', 1), (3, 'red', 2);
  insert into extras_tag values (1, 'Prod', 'prod'), (2, 'Lab', 'lab');
  insert into extras_taggeditem values ('toy.place', 1, 1), ('toy.place', 1, 2), ('toy.place', 2, 1), ('toy.box', 3, 1);
  insert into extras_customfield values
    (1, 'word', 'text', 'loose', '{toy.place}'), (2, 'exact', 'text', 'exact', '{toy.place}'),
    (3, 'number', 'decimal', 'exact', '{toy.place}'), (4, 'many', 'multiselect', 'exact', '{toy.place}'),
    (5, 'ids', 'multiobject', 'exact', '{toy.place}'), (6, 'flag', 'boolean', 'exact', '{toy.place}'),
    (7, 'day', 'date', 'exact', '{toy.place}'), (8, 'moment', 'datetime', 'exact', '{toy.place}'),
    (9, 'off', 'text', 'disabled', '{toy.place}'), (10, 'other', 'text', 'exact', '{toy.box}');
  update extras_customfield set related_object_type = 'toy.keeper' where name = 'ids';
  insert into extras_savedfilter values
    (1, 'Open ones', 'open-ones', true, null, '{"status": ["open"]}'),
    (2, 'Mine', 'mine', false, 1, '{"size": 5}');
  insert into core_objectchange values
    (1, '11111111-1111-1111-1111-111111111111', 'create', 'toy.place', 1),
    (2, '11111111-1111-1111-1111-111111111111', 'update', 'toy.place', 2),
    (3, '11111111-1111-1111-1111-111111111111', 'create', 'toy.box', 4);`

/** A service over a small made-up inventory of places, for tests of queries. */
export async function servicePlaces(database: Database): Promise<Service> {
  await database.script(SCRIPT)
  const settings = readSettings({ DATA_DIR: 'unused' })
  return createService(places, database, settings)
}
