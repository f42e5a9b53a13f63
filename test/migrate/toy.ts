import { address, customFields, foreignKey, integer, manyToMany, objectTypes, text } from '../../src/schema/field.ts'
import { type Definition, model } from '../../src/schema/model.ts'

export const shelf = model({
  name: 'toy.shelf',
  labels: ['shelf', 'shelves'],
  fields: {
    name: text({ max: 20, collation: 'natural' }),
    parent: foreignKey('toy.shelf', { onDelete: 'cascade', nullable: true }),
    depth: integer({ size: 'small', default: 3 }),
    address: address({ nullable: true }),
    kinds: objectTypes({ default: [] }),
    custom_fields: customFields(),
  },
  display: '{name}',
  brief: ['id'],
  order: ['_sort'],
  tree: { parent: 'parent', orderBy: 'name' },
  unique: [
    { fields: ['parent', 'name'], ignoreCase: ['name'] },
    { fields: ['name'], ignoreCase: ['name'], whereNull: ['parent'] },
  ],
})
export const book = model({
  name: 'toy.book',
  labels: ['book', 'books'],
  fields: {
    title: text({ max: 20, unique: true }),
    shelf: foreignKey('toy.shelf', { onDelete: 'protect', nullable: true }),
    also_on: manyToMany('toy.shelf'),
  },
  display: '{title}',
  brief: ['id'],
  order: ['shelf', 'title'],
})
/** A model of a later version. */
export const author = model({
  name: 'toy.author',
  labels: ['author', 'authors'],
  fields: { name: text({ max: 20 }) },
  display: '{name}',
  brief: ['id'],
  order: ['name'],
})

/** The models of the first version. */
export const FIRST = [shelf, book]

export const change = (definition: Definition, fields: Definition['fields']): Definition => ({
  ...definition,
  fields,
})
export const without = (fields: Definition['fields'], name: string): Definition['fields'] =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name))
