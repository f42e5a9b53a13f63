import { event } from '../../src/models/core/event.ts'
import { choices } from '../../src/schema/choices.ts'
import { timestamps } from '../../src/schema/common.ts'
import {
  boolean,
  choice,
  counter,
  customFields,
  dateTime,
  decimal,
  file,
  foreignKey,
  genericForeignKey,
  integer,
  json,
  list,
  manyToMany,
  network,
  objectType,
  objectTypes,
  slug,
  tags,
  text,
} from '../../src/schema/field.ts'
import { model } from '../../src/schema/model.ts'
import { buildRegistry, type Registry } from '../../src/schema/registry.ts'
import { rulesFor } from '../../src/schema/rule.ts'

const housekeeping = { tags: tags(), custom_fields: customFields(), ...timestamps }

const region = model({
  name: 'toy.region',
  labels: ['region', 'regions'],
  fields: {
    name: text({ max: 100, collation: 'natural' }),
    parent: foreignKey('toy.region', { onDelete: 'cascade', nullable: true, related: 'children' }),
    ...housekeeping,
  },
  display: '{name}',
  brief: ['id', 'display'],
  order: ['name'],
  unique: [{ fields: ['parent', 'name'] }, { fields: ['name'], whereNull: ['parent'] }],
  tree: { parent: 'parent', orderBy: 'name' },
  features: ['changeLogging'],
})

const asn = model({
  name: 'toy.asn',
  labels: ['ASN', 'ASNs'],
  fields: { asn: integer({ size: 'big', range: [1, 4_294_967_295], unique: true }) },
  display: 'AS{asn}',
  brief: ['id', 'display'],
  order: ['asn'],
})

const siteStatus = choices([
  ['planned', 'Planned'],
  ['active', 'Active'],
])

export const site = model({
  name: 'toy.site',
  labels: ['site', 'sites'],
  fields: {
    name: text({ max: 100, unique: true, collation: 'natural' }),
    slug: slug({ max: 100, unique: true }),
    status: choice(siteStatus, { default: 'active' }),
    region: foreignKey('toy.region', { onDelete: 'setNull', nullable: true }),
    latitude: decimal({ digits: 8, places: 6, range: [-90, 90], nullable: true }),
    facility: text({ max: 50, default: '' }),
    asns: manyToMany('toy.asn', { related: 'sites' }),
    device_count: counter('toy.device', 'site'),
    ...housekeeping,
  },
  display: '{name}',
  brief: ['id', 'display'],
  order: ['name'],
  features: ['changeLogging'],
})

export const device = model({
  name: 'toy.device',
  labels: ['device', 'devices'],
  fields: {
    name: text({ max: 64, nullable: true, collation: 'natural' }),
    site: foreignKey('toy.site', { onDelete: 'protect' }),
    asset_tag: text({ max: 50, nullable: true, unique: true }),
    position: decimal({ digits: 4, places: 1, nullable: true }),
    data: json({ nullable: true }),
    ...housekeeping,
  },
  display: '{name}',
  brief: ['id', 'display'],
  order: ['name', 'id'],
  unique: [{ fields: ['name', 'site'], ignoreCase: ['name'] }],
  features: ['changeLogging'],
})

const note = model({
  name: 'toy.note',
  labels: ['note', 'notes'],
  fields: {
    subject: genericForeignKey(['toy.site', 'toy.device'], { nullable: false, related: 'notes' }),
    text: text({}),
    prefixes: list('network', { default: [], blank: true }),
    network: network({ nullable: true }),
  },
  display: '{text}',
  brief: ['id', 'display'],
  order: ['id'],
  features: ['changeLogging'],
  changeRelates: 'subject',
})

/** A photo of a site. */
const photo = model({
  name: 'toy.photo',
  labels: ['photo', 'photos'],
  fields: {
    name: text({ max: 50, default: '' }),
    image: file({ image: true, directory: 'photos' }),
    image_height: integer({ size: 'small', readOnly: true }),
    image_width: integer({ size: 'small', readOnly: true }),
  },
  display: '{name}',
  brief: ['id', 'display'],
  order: ['id'],
})

const tag = model({
  name: 'extras.tag',
  labels: ['tag', 'tags'],
  fields: {
    name: text({ max: 100, unique: true }),
    slug: slug({ max: 100, unique: true }),
    object_types: objectTypes({ default: [] }),
  },
  display: '{name}',
  brief: ['id', 'display'],
  order: ['name'],
})

const taggedItem = model({
  name: 'extras.taggeditem',
  labels: ['tagged item', 'tagged items'],
  fields: {
    object: genericForeignKey(['toy.site', 'toy.device', 'toy.region'], {
      nullable: false,
      related: '+',
    }),
    tag: foreignKey('extras.tag', { onDelete: 'cascade' }),
  },
  display: '{id}',
  brief: ['id'],
  order: ['id'],
  private: true,
})

const choiceSet = model({
  name: 'extras.customfieldchoiceset',
  labels: ['choice set', 'choice sets'],
  fields: {
    base_choices: text({ nullable: true }),
    extra_choices: list('textPair', { nullable: true }),
  },
  display: '{id}',
  brief: ['id'],
  order: ['id'],
})

const customField = model({
  name: 'extras.customfield',
  labels: ['custom field', 'custom fields'],
  fields: {
    name: text({ max: 50, unique: true }),
    type: text({ max: 20, default: 'text' }),
    object_types: objectTypes({}),
    related_object_type: objectType({ nullable: true }),
    required: boolean({ default: false }),
    unique: boolean({ default: false }),
    default: json({ nullable: true }),
    weight: integer({ default: 100 }),
    validation_minimum: decimal({ digits: 16, places: 4, nullable: true }),
    validation_maximum: decimal({ digits: 16, places: 4, nullable: true }),
    validation_regex: text({ default: '' }),
    validation_schema: json({ nullable: true }),
    choice_set: foreignKey('extras.customfieldchoiceset', { onDelete: 'protect', nullable: true }),
  },
  display: '{name}',
  brief: ['id', 'display'],
  order: ['name'],
})

const user = model({
  name: 'users.user',
  labels: ['user', 'users'],
  fields: { username: text({ unique: true }) },
  display: '{username}',
  brief: ['id', 'display'],
  order: ['username'],
})

const objectChange = model({
  name: 'core.objectchange',
  labels: ['object change', 'object changes'],
  fields: {
    time: dateTime({}),
    user: foreignKey('users.user', { onDelete: 'setNull', nullable: true }),
    user_name: text({}),
    request_id: text({}),
    action: text({}),
    changed_object_type: text({}),
    changed_object_id: integer({ size: 'big' }),
    related_object_type: text({ nullable: true }),
    related_object_id: integer({ size: 'big', nullable: true }),
    object_repr: text({}),
    message: text({}),
    prechange_data: json({ nullable: true }),
    postchange_data: json({ nullable: true }),
    object_context: json({ nullable: true }),
    undo_data: json({ nullable: true }),
  },
  display: '{object_repr}',
  brief: ['id'],
  order: ['-time'],
})

/** A site called forbidden is refused; one called Main needs an ASN; every site finds its namesake. */
const siteRules = rulesFor(site, async ({ next, read, batch }) => {
  if (next.name === 'forbidden') return { name: 'That name is forbidden.' }
  const namesake = await read.find(site, { facility: next.name }, { not: next.id })
  if (namesake) return { __all__: `${namesake.display} has that facility, of ${batch.length}.` }
  return undefined
})

export const toyRegistry = (): Registry =>
  buildRegistry(
    [region, asn, site, device, note, photo, tag, taggedItem, choiceSet, customField, user, objectChange, event],
    [siteRules],
  )
