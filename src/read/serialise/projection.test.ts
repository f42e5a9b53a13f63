import { describe, expect, it } from 'vitest'
import { computed, text } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'
import { buildRegistry } from '../../schema/registry.ts'
import { selectNames } from './projection.ts'

const thing = buildRegistry([
  model({
    name: 'toy.thing',
    path: 'toy/things',
    page: false,
    labels: ['thing', 'things'],
    fields: {
      name: text({}),
      colour: text({}),
      context: computed({ type: 'object' }, async () => new Map(), { excludable: true }),
    },
    display: '{name}',
    brief: ['id', 'name'],
    order: ['name'],
  }),
]).model('toy.thing')

const all = { brief: false, excludeContext: false }
// The fields that the request selects → the names in the response.
const cases = [
  { name: 'nothing', asked: all, shown: 'id url display name colour context' },
  { name: 'brief', asked: { ...all, brief: true }, shown: 'id name' },
  {
    name: 'fields, in the order of the answer',
    asked: { ...all, fields: ['name', 'id'] },
    shown: 'id name',
  },
  { name: 'fields that do not exist', asked: { ...all, fields: ['nonsense'] }, shown: '' },
  {
    name: 'omit',
    asked: { ...all, omit: ['url', 'context', 'nonsense'] },
    shown: 'id display name colour',
  },
  { name: 'fields before omit', asked: { ...all, fields: ['id'], omit: ['id'] }, shown: 'id' },
  {
    name: 'fields before brief',
    asked: { ...all, fields: ['colour'], brief: true },
    shown: 'colour',
  },
  {
    name: 'omit before brief',
    asked: { ...all, omit: ['context'], brief: true },
    shown: 'id url display name colour',
  },
  {
    name: 'no context',
    asked: { ...all, excludeContext: true },
    shown: 'id url display name colour',
  },
]

describe('the fields that are shown', () => {
  it.each(cases)('follow $name', ({ asked, shown }) => {
    expect(selectNames(thing, asked).join(' ')).toBe(shown)
  })
})
