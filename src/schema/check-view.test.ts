import { describe, expect, it } from 'vitest'
import { text } from './field.ts'
import { model } from './model.ts'
import { buildRegistry } from './registry.ts'
import { type ModelView, registered } from './view.ts'

const box = model({
  name: 'toy.box',
  labels: ['box', 'boxes'],
  fields: { name: text({ max: 100 }), color: text({ max: 20, default: '' }), weight: text({ max: 20, default: '' }) },
  display: '{name}',
  brief: ['id', 'display'],
  order: ['name'],
})

const start = (view: ModelView) => () => buildRegistry([box], [], [], [view])

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
})
