import { expect, it } from 'vitest'
import { choices } from '../../src/schema/choices.ts'
import { choice, foreignKey, integer, slug, text } from '../../src/schema/field.ts'
import { model } from '../../src/schema/model.ts'
import { buildRegistry } from '../../src/schema/registry.ts'
import { exampleBody } from './example-values.ts'

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

it('examples follow from kinds, limits, choices and what fields declare', () => {
  const find = () => undefined
  expect(exampleBody(registry, box, 2, find, { whole: false })).toEqual(needed)
  expect(exampleBody(registry, box, 2, find, { whole: true })).toEqual({
    ...needed,
    state: 'old',
    note: 'note-2',
  })
  expect(exampleBody(registry, box, 3, find, { whole: true })).toBeUndefined()
})

it('a required field without an example is named', () => {
  const missing = 'has no example: give the field an `example`.'
  const bodyOf = (id?: number) => exampleBody(registry, lid, 1, () => id, { whole: false })
  expect(() => bodyOf(1)).toThrow(`toy.lid.code ${missing}`)
  expect(() => bodyOf()).toThrow(`toy.lid.box ${missing}\ntoy.lid.code ${missing}`)
})
