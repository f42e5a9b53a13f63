import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Inventory, openInventory, refusedAt } from '../../../test/support/inventory.ts'
import { sql } from '../../sql/fragment.ts'

let inventory: Inventory
let set: number

const field = (more: object) => ({ name: 'some_name', object_types: ['dcim.region'], ...more })

beforeAll(async () => {
  inventory = await openInventory()
  set = await inventory.create('extras.customfieldchoiceset', {
    name: 'Letters',
    extra_choices: [
      ['a', 'A'],
      ['b', 'B'],
    ],
  })
})
afterAll(() => inventory.close())

describe('a definition', () => {
  // body → field of the error
  const cases: readonly [string, () => object, string[]][] = [
    ['a name with two underscores', () => ({ name: 'a__b', type: 'text' }), ['name']],
    ['numeric bounds of a text', () => ({ type: 'text', validation_minimum: 1 }), ['validation_minimum']],
    ['an expression for numbers', () => ({ type: 'integer', validation_regex: 'x' }), ['validation_regex']],
    ['a malformed expression', () => ({ type: 'text', validation_regex: '[' }), ['validation_regex']],
    ['a schema for texts', () => ({ type: 'text', validation_schema: {} }), ['validation_schema']],
    ['unique truth', () => ({ type: 'boolean', unique: true }), ['unique']],
    ['a selection of nothing', () => ({ type: 'select' }), ['choice_set']],
    ['choices of a text', () => ({ type: 'text', choice_set: set }), ['choice_set']],
    ['objects without an object type', () => ({ type: 'object' }), ['related_object_type']],
    ['objects in a text', () => ({ type: 'text', related_object_type: 'dcim.site' }), ['type']],
    ['a filter without objects', () => ({ type: 'text', related_object_filter: {} }), ['related_object_filter']],
    ['a default of another type', () => ({ type: 'integer', default: 'x' }), ['default']],
    ['a default that is not a choice', () => ({ type: 'select', choice_set: set, default: 'z' }), ['default']],
  ]
  test.each(cases)('%s', async (_name, more, places) => {
    expect(await refusedAt(inventory.create('extras.customfield', field(more())))).toEqual(places)
  })
})

test('values of objects get the default, follow a rename and are removed with the field', async () => {
  const valuesOf = async (id: number) => {
    const [row] = await inventory.query(sql`select custom_field_data as data from dcim_region where id = ${id}`)
    return JSON.parse(String(row?.data))
  }
  const region = await inventory.create('dcim.region', { name: 'Here', slug: 'here' })
  const id = await inventory.create('extras.customfield', field({ name: 'rank', type: 'integer', default: 3 }))
  expect(await valuesOf(region)).toEqual({ rank: 3 })
  await inventory.change('extras.customfield', id, { name: 'level' })
  expect(await valuesOf(region)).toEqual({ level: 3 })
  expect(await refusedAt(inventory.change('extras.customfield', id, { type: 'text' }))).toEqual(['type'])
  await inventory.change('extras.customfield', id, { object_types: ['dcim.site'] })
  expect(await valuesOf(region)).toEqual({})
  await inventory.remove('extras.customfield', id)
})

test('choices that objects use cannot be removed', async () => {
  await inventory.create('extras.customfield', field({ name: 'letters', type: 'multiselect', choice_set: set }))
  await inventory.create('dcim.region', {
    name: 'There',
    slug: 'there',
    custom_fields: { letters: ['b'] },
  })
  const shorten = (kept: string) =>
    inventory.change('extras.customfieldchoiceset', set, { extra_choices: [[kept, kept]] })
  expect(await refusedAt(shorten('a'))).toEqual(['extra_choices'])
  await shorten('b')
})
