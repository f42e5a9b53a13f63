import { describe, expect, it } from 'vitest'
import { text } from './field.ts'
import { model } from './model.ts'
import { buildRegistry } from './registry.ts'
import { type DeclaredView, registered } from './view.ts'

const box = model({
  name: 'toy.box',
  labels: ['box', 'boxes'],
  fields: { name: text({ max: 100 }), color: text({ max: 20, default: '' }), weight: text({ max: 20, default: '' }) },
  display: '{name}',
  brief: ['id', 'display'],
  order: ['name'],
})

const EVERYTHING = { columns: ['name'], panels: ['name'], form: ['name', 'color', 'weight'] } as const

const start = (view: DeclaredView) => () => buildRegistry([box], [], [], [view])

describe('the view of a model', () => {
  it.each([
    {
      name: 'without a writable field',
      view: registered(box, { columns: ['name'], panels: ['name'], form: ['name', 'weight'] }).view,
      sentence: 'No form or panel of toy.box shows color; add them to its view, or to "setElsewhere"',
    },
    {
      name: 'with a name that is not there',
      view: { ...registered(box, { columns: ['name'], panels: ['name'] }).view, columns: ['size'] },
      sentence: 'The view of toy.box names what is not there: size',
    },
    {
      name: 'that leaves out a column that no export has',
      view: registered(box, { ...EVERYTHING, moreColumns: { without: ['display'] } }).view,
      sentence: 'The view of toy.box changes nothing by naming display',
    },
    {
      name: 'that adds a field that its bulk edit form already has',
      view: registered(box, { ...EVERYTHING, bulkEdit: { plus: ['color'] } }).view,
      sentence: 'The view of toy.box changes nothing by naming color',
    },
  ])('$name stops the start', ({ view, sentence }) => {
    expect(start(view)).toThrow(sentence)
  })

  it.each([
    { name: 'in its form', view: { form: ['name', 'color', 'weight'] as const } },
    { name: 'in its bulk edit form', view: { form: ['name', 'weight'] as const, bulkEdit: ['color'] as const } },
    {
      name: 'in an exception with its reason',
      view: { form: ['name', 'weight'] as const, setElsewhere: { color: 'the form of a paint' } },
    },
  ])('has all writable fields: one is $name', ({ view }) => {
    expect(start(registered(box, { columns: ['name'], panels: ['name'], ...view }).view)).not.toThrow()
  })

  it.each([
    {
      name: 'without a difference',
      view: {},
      bulkEdit: ['color', 'weight'],
      imports: ['name', 'color', 'weight'],
      moreColumns: ['id', 'color', 'weight'],
    },
    {
      name: 'with a difference of each',
      view: {
        bulkEdit: { without: ['color'], plus: ['name'] },
        imports: { without: ['weight'], plus: ['id'] },
        moreColumns: { without: ['id'], plus: ['display'] },
      } as const,
      bulkEdit: ['weight', 'name'],
      imports: ['name', 'color', 'id'],
      moreColumns: ['color', 'weight', 'display'],
    },
    {
      name: 'with lists of its own',
      view: { bulkEdit: [], imports: ['name'], moreColumns: ['id'] } as const,
      bulkEdit: [],
      imports: ['name'],
      moreColumns: ['id'],
    },
  ])('$name takes the other lists from its form', ({ view, bulkEdit, imports, moreColumns }) => {
    const registry = start(registered(box, { ...EVERYTHING, ...view }).view)()
    const complete = registry.view(registry.model('toy.box'))
    expect((complete.bulkEdit ?? []).flatMap(({ fields }) => fields)).toEqual(bulkEdit)
    expect(complete.imports).toEqual(imports)
    expect(complete.moreColumns).toEqual(moreColumns)
  })
})
