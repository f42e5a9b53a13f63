import { expect, test } from 'vitest'
import { deletionOrder } from './deletion-order.ts'
import { foreignKey, text } from './field.ts'
import { model } from './model.ts'
import { buildRegistry } from './registry.ts'

const named = { display: '{name}', brief: ['id', 'name'], order: ['name'] } as const

/** A house with rooms, one of which is its hall; a room may be within another one. */
const registry = buildRegistry([
  model({
    ...named,
    name: 'toy.house',
    path: 'toy/houses',
    labels: ['house', 'houses'],
    fields: { name: text({}), hall: foreignKey('toy.room', { onDelete: 'setNull' }) },
  }),
  model({
    ...named,
    name: 'toy.lamp',
    path: 'toy/lamps',
    labels: ['lamp', 'lamps'],
    fields: { name: text({}), room: foreignKey('toy.room', { onDelete: 'cascade' }) },
  }),
  model({
    ...named,
    name: 'toy.room',
    path: 'toy/rooms',
    labels: ['room', 'rooms'],
    fields: {
      name: text({}),
      house: foreignKey('toy.house', { onDelete: 'cascade' }),
      within: foreignKey('toy.room', { onDelete: 'cascade', nullable: true }),
    },
  }),
])

test('rows are deleted before the rows that they refer to', () => {
  expect(deletionOrder(registry).models.map(({ name }) => name)).toEqual(['toy.lamp', 'toy.room', 'toy.house'])
})

test('of the references in a cycle, an optional one is ignored first', () => {
  expect([...deletionOrder(registry).restricting].sort()).toEqual([
    'toy_lamp_room_id_fkey',
    'toy_room_house_id_fkey',
    'toy_room_within_id_fkey',
  ])
})
