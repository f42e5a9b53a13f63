import { isNonNullType } from 'graphql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalogueOf } from '../../src/api/graphql/catalogue.ts'
import type { FilterSource, Source } from '../../src/api/graphql/source.ts'
import { hasRootFields, offeredModels, rootNameOf } from '../../src/read/graphql-names.ts'
import type { Model } from '../../src/schema/registry.ts'
import type { Document } from '../support/api.ts'
import { KINDS_1_AND_2, openObserver } from './observer.ts'
import { kindOf } from './world.ts'

/**
 * GraphQL shows nothing of hidden rows: for every resource, by list, object, count, filter, relation, union and error.
 * In the world of these tests, only hidden rows contain a 3.
 */
const observer = await openObserver({
  API_VERSION: '4.7',
  GRAPHQL_MAX_ALIASES: '0',
  graphqlMaxTokens: 1_000_000,
})
afterAll(() => observer.close())
const { registry } = observer.api.service
const catalogue = catalogueOf(registry)
const models = offeredModels(registry)
  .filter(hasRootFields)
  .map((model) => [model.name, model] as const)

/** Values that only hidden rows contain. */
const HIDDEN = /value-3|10\.0\.3\.|:00:03"|-0000000000003"/

/** Ids of all objects in an answer. */
function idsIn(value: unknown): readonly number[] {
  if (Array.isArray(value)) return value.flatMap(idsIn)
  if (typeof value !== 'object' || value === null) return []
  const { id, pk, ...rest } = value as Record<string, unknown>
  const own = [id, pk].flatMap((each) => (typeof each === 'string' ? [Number(each)] : []))
  return [...own, ...Object.values(rest).flatMap(idsIn)]
}

/** A field that every object of the model has: its id if it is available. */
const keyOf = (model: Model): string => (catalogue.fieldsOf(model).has('id') ? 'id' : 'display')

function selectionOf(source: Source): string {
  switch (source.kind) {
    case 'parts':
      return `{ ${Object.keys(source.parts).join(' ')} }`
    case 'generic':
    case 'objectList': {
      const members = source.to.map((model) => `... on ${typeOf(model)} { id display }`)
      return `{ ${members.join(' ')} }`
    }
    case 'toOne':
      return `{ ${keyOf(source.to)} display }`
    case 'toMany':
      return `{ ${keyOf(source.step.to)} display }`
    case 'objectTypes':
      // Ids of object types say nothing about rows.
      return '{ __typename }'
    default:
      return ''
  }
}

const typeOf = (model: Model): string =>
  String(catalogue.schema.getQueryType()?.getFields()[rootNameOf(model)]?.type).replace('!', '')

/**
 * Relations added by features are the same for all models: their rows name objects of any model. The statements that
 * hide them name all models too, and take seconds each if every model has constraints.
 */
const isFeature = (source: Source | FilterSource, model: Model): boolean => {
  const step =
    source.kind === 'toMany'
      ? source.step
      : source.kind === 'relation'
        ? model.steps.get(source.step.split('.')[0] ?? '')
        : undefined
  if (!step || step.kind === 'column') return false
  // Rows of private models are visible together with everything to which they refer: rows of kind 3 refer to kind 1.
  return step.kind === 'reverseGeneric' || step.kind === 'tags' || step.to.definition.private === true
}

/** Values of a filter that only hidden rows contain, and values that no row contains. */
function pairsOf(source: FilterSource): readonly (readonly [string, string])[] {
  switch (source.kind) {
    case 'id':
      return [['3', '999']]
    case 'tree':
      return ['EXACT', 'DESCENDANTS', 'ANCESTORS', 'CHILDREN', 'PARENT', 'SIBLINGS'].map(
        (match) => [`{id: 3, match_type: ${match}}`, `{id: 999, match_type: ${match}}`] as const,
      )
    case 'relation':
      return catalogue.inputsOf(source.to).has('name')
        ? [
            ['{id: {exact: 3}}', '{id: {exact: 999}}'],
            ['{name: {contains: "value-3"}}', '{name: {contains: "value-9"}}'],
          ]
        : [['{id: {exact: 3}}', '{id: {exact: 999}}']]
    default:
      return []
  }
}

describe('GraphQL', () => {
  beforeAll(async () => {
    await observer.allow({
      types: observer.models.map(({ name }) => name),
      actions: ['view'],
      constraints: KINDS_1_AND_2,
    })
  })

  const ask = async (query: string): Promise<{ readonly text: string; readonly json: Document }> => {
    const { status, text, json } = await observer.ask('POST', '/graphql/', { body: { query } })
    expect(status, text).toBe(200)
    return { text, json }
  }

  describe.each(models)('%s', (_name, model) => {
    const root = rootNameOf(model)

    it('shows no hidden row on any level', async () => {
      const fields = [...catalogue.fieldsOf(model)]
        // The text rendered from all config contexts is shown with the object, as in the REST API.
        .filter(([, { source }]) => source.kind !== 'computed' && !isFeature(source, model))
        .map(([name, { config, source }]) => ({
          text: `${name} ${selectionOf(source)}`,
          isRequired: isNonNullType(config.type) && source.kind !== 'toMany',
        }))
      const values = fields.filter(({ text, isRequired }) => !isRequired || !text.includes('{'))
      // If the schema requires a hidden object, the response contains no data at all, so these are queried one by one.
      const promised = fields.filter((field) => !values.includes(field))
      for (const part of [values, ...promised.map((field) => [field])]) {
        const { text, json } = await ask(`{ ${root}_list { ${part.map((each) => each.text).join(' ')} } }`)
        expect(text).not.toMatch(HIDDEN)
        expect(idsIn(json.data).filter((id) => kindOf(id) === 3)).toEqual([])
      }
    })

    it('has the same error for hidden and for missing objects, and counts the listed ones', async () => {
      const [hidden, none] = await Promise.all([
        ask(`{ ${root}(id: 3) { ${keyOf(model)} } }`),
        ask(`{ ${root}(id: 999) { ${keyOf(model)} } }`),
      ])
      expect(hidden.text).toBe(none.text)
      const { json } = await ask(`{ list: ${root}_list { ${keyOf(model)} } count: ${root}_count }`)
      expect(json.data?.count).toBe(json.data?.list?.length)
    })

    it('cannot be filtered by hidden data', async () => {
      const pairs = [...catalogue.inputsOf(model)].flatMap(([name, { source }]) =>
        isFeature(source, model) ? [] : pairsOf(source).map((pair) => ({ name, pair })),
      )
      const answers = async (side: 0 | 1): Promise<Document> => {
        const asked = pairs.flatMap(({ name, pair }, index) => [
          `list${index}: ${root}_list(filters: {${name}: ${pair[side]}}) { ${keyOf(model)} }`,
          `not${index}: ${root}_count(filters: {NOT: {${name}: ${pair[side]}}})`,
        ])
        const { json } = await ask(`{ __typename ${asked.join(' ')} }`)
        expect(json.errors).toBeUndefined()
        return json.data as Document
      }
      const [hidden, nobodys] = await Promise.all([answers(0), answers(1)])
      for (const [index, { name, pair }] of pairs.entries()) {
        const found = (answer: Document) => [answer[`list${index}`], answer[`not${index}`]]
        expect(found(hidden), `${name}: ${pair[0]}`).toEqual(found(nobodys))
      }
    })
  })
})
