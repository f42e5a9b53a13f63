import { type GraphQLInputObjectType, type GraphQLObjectType, getNamedType } from 'graphql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalogueOf } from '../../src/api/graphql/catalogue.ts'
import { sql } from '../../src/sql/fragment.ts'
import { updateTable } from '../../src/sql/table.ts'
import { fillWorld } from '../permissions/world.ts'
import type { Document } from '../support/api.ts'
import { startApiWithOwnModels } from '../support/own-models.ts'
import { LookupValues, wholeSelection } from './sample-queries.ts'

/**
 * Queries generated from the schema: every field of every type, every input of every filter, every lookup of every type
 * of input. They query objects of every model, with values in every field.
 */
const api = await startApiWithOwnModels({ API_VERSION: '4.7', GRAPHQL_MAX_ALIASES: '0', graphqlMaxTokens: 1_000_000 })
afterAll(() => api.close())
const { schema } = catalogueOf(api.service.registry)
const lists = Object.values(schema.getQueryType()?.getFields() ?? {})
  .filter(({ name, args }) => name.endsWith('_list') && args.some((arg) => arg.name === 'filters'))
  .map((field) => [field.name, field] as const)

/** Filters of one query. */
const AT_ONCE = 50

describe('every type', () => {
  const values = new LookupValues()
  beforeAll(async () => {
    await fillWorld(api.service.database, api.service.registry)
    // The world has no files; attached images and files always have one.
    await api.service.database.execute(sql`${updateTable('extras.imageattachment')} set image = 'image.png'`)
    await api.service.database.execute(sql`${updateTable('netbox_attachments.netboxattachment')} set file = 'file.pdf'`)
  })

  const ask = async (query: string): Promise<Document> => {
    const { status, text, json } = await api.ask('POST', '/graphql/', { body: { query } })
    expect(status, text).toBe(200)
    return json
  }

  describe.each(lists)('%s', (list, field) => {
    it('shows every field', async () => {
      const type = getNamedType(field.type) as GraphQLObjectType
      const { data, errors } = await ask(`{ ${list} ${wholeSelection(schema, type)} }`)
      expect(errors).toBeUndefined()
      expect(data?.[list]?.length).toBeGreaterThan(0)
    })

    it('is filtered by every input', async () => {
      const { type } = field.args.find(({ name }) => name === 'filters') ?? {}
      const inputs = (getNamedType(type) as GraphQLInputObjectType).getFields()
      // Names of groups that do not exist are refused, as in the REST API.
      const others = Object.values(inputs).filter(({ name }) => !/^dynamic_group(_id)?$/.test(name))
      const filters = others.flatMap(({ name, type }) => values.of(name, type).map((value) => `{${name}: ${value}}`))
      const count = list.replace(/_list$/, '_count')
      const refused: string[] = []
      for (let start = 0; start < filters.length; start += AT_ONCE) {
        const part = filters.slice(start, start + AT_ONCE)
        const asked = part.map(
          (each, index) =>
            `l${index}: ${list}(filters: ${each}, pagination: {limit: 1}) { __typename } c${index}: ${count}(filters: {NOT: ${each}})`,
        )
        const { errors } = await ask(`{ ${asked.join(' ')} }`)
        for (const { message, path } of errors ?? []) {
          refused.push(`${part[Number(String(path?.[0]).slice(1))]}: ${message}`)
        }
      }
      expect(refused).toEqual([])
    })
  })
})
