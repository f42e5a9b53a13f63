import { expect, it } from 'vitest'
import { choices } from './choices.ts'
import { exampleBody } from './example-values.ts'
import { choice, foreignKey, integer, slug, text } from './field.ts'
import { model } from './model.ts'
import { buildRegistry } from './registry.ts'

const CODE = [/^[A-Z]{3}$/, 'Three capital letters.'] as const
const registry = buildRegistry([
  model({
    name: 'toy.box',
    path: 'toy/boxes',
    labels: ['box', 'boxes'],
    fields: {
      name: text({}),
      slug: slug({}),
      code: text({ pattern: CODE, example: (n) => ['ONE', 'TWO'][n - 1] }),
      size: integer({ range: [1, 4094] }),
      state: choice(
        choices([
          ['new', 'New'],
          ['old', 'Old'],
        ]),
        { default: 'new' },
      ),
      note: text({ default: '' }),
      seal: text({ default: '', example: null }),
    },
    display: '{name}',
    brief: ['id', 'name'],
    order: ['name'],
  }),
  model({
    name: 'toy.lid',
    path: 'toy/lids',
    labels: ['lid', 'lids'],
    fields: { box: foreignKey('toy.box', {}), code: text({ pattern: CODE }) },
    display: '{code}',
    brief: ['id', 'code'],
    order: ['code'],
  }),
])
const [box, lid] = [registry.model('toy.box'), registry.model('toy.lid')]
const needed = { slug: 'box-2', name: 'box-2', code: 'TWO', size: 3 }

it('examples follow from kinds, limits, choices and declared examples', () => {
  const find = () => undefined
  expect(exampleBody(registry, box, 2, find, { whole: false }).body).toEqual(needed)
  expect(exampleBody(registry, box, 2, find, { whole: true }).body).toEqual({
    ...needed,
    state: 'old',
    note: 'note-2',
  })
  expect(exampleBody(registry, box, 3, find, { whole: true }).body).toBeUndefined()
})

it('a required field without an example is reported by name', () => {
  const missing = 'has no example: give the field an `example`.'
  const missingWith = (id?: number) => exampleBody(registry, lid, 1, () => id, { whole: false }).missing
  expect(missingWith(1)).toEqual([`toy.lid.code ${missing}`])
  expect(missingWith()).toEqual([`toy.lid.box ${missing}`, `toy.lid.code ${missing}`])
})
