import { describe, expect, it } from 'vitest'
import type { JsonObject } from './json.ts'
import { comparePromises, promisesOf } from './openapi-promises.ts'
import { parseDocument } from './openapi-schema.ts'

const text = { type: 'string' }
const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const object = (properties: JsonObject) => ({ type: 'object', properties })
const json = (schema: JsonObject) => ({ content: { 'application/json': { schema } } })
const query = (name: string) => ({ in: 'query', name, schema: text })

/** Sites as a reference may describe them: pages, references, alternatives, nested objects. */
const SITES: JsonObject = {
  paths: {
    '/api/dcim/sites/': {
      get: {
        parameters: [query('name'), query('q'), { in: 'path', name: 'no', schema: text }],
        responses: { 200: json(reference('Page')) },
      },
      post: {
        requestBody: json({
          oneOf: [reference('SiteRequest'), { type: 'array', items: reference('SiteRequest') }],
        }),
        responses: { 400: json(object({ detail: text })), 201: json(reference('Site')) },
      },
    },
    '/api/dcim/sites/{id}/': { delete: { responses: { 204: {} } } },
  },
  components: {
    schemas: {
      Page: object({ count: text, results: { type: 'array', items: reference('Site') } }),
      Site: object({
        name: text,
        region: { allOf: [reference('Region')], nullable: true },
        tags: { type: 'array', items: reference('Tag') },
      }),
      SiteRequest: object({ name: text }),
      Region: object({ slug: text, parent: reference('Region') }),
      Tag: object({ color: text }),
    },
  },
}

const missingIn = (document: JsonObject) =>
  comparePromises(promisesOf(SITES), promisesOf(document))
    .filter(({ differences }) => differences.length > 0)
    .map(({ kind, id, differences }) => [kind, id, differences[0]?.cause])

/** The document with `part` at the given path. */
const changed = (place: readonly string[], part: JsonObject | undefined): JsonObject => {
  const document = structuredClone(SITES) as Record<string, JsonObject>
  let holder: Record<string, unknown> = document
  for (const step of place.slice(0, -1)) holder = holder[step] as Record<string, unknown>
  const last = place.at(-1) ?? ''
  if (part === undefined) delete holder[last]
  else holder[last] = part
  return document
}

const LIST = '/api/dcim/sites/'

describe('a document', () => {
  it('has paths, methods, parameters and fields to a depth of one', () => {
    expect(promisesOf(SITES).map(({ id }) => id.replace('openapi ', ''))).toEqual([
      '/api/dcim/sites/',
      'GET /api/dcim/sites/',
      'GET /api/dcim/sites/ query name',
      'GET /api/dcim/sites/ query q',
      ...['count', 'name', 'region', 'region.parent', 'region.slug', 'results', 'tags'].map(
        (name) => `GET /api/dcim/sites/ response ${name}`,
      ),
      'GET /api/dcim/sites/ response tags.color',
      'POST /api/dcim/sites/',
      'POST /api/dcim/sites/ request name',
      ...['name', 'region', 'region.parent', 'region.slug', 'tags', 'tags.color'].map(
        (name) => `POST /api/dcim/sites/ response ${name}`,
      ),
      '/api/dcim/sites/{id}/',
      'DELETE /api/dcim/sites/{id}/',
    ])
  })

  it('equals itself, also with other parameter names in paths', () => {
    expect(missingIn(SITES)).toEqual([])
    const renamed = JSON.parse(JSON.stringify(SITES).replace('sites/{id}', 'sites/{name}'))
    expect(missingIn(renamed)).toEqual([])
  })

  it.each<[name: string, document: JsonObject, missing: readonly (readonly string[])[]]>([
    [
      'without a path lacks its methods too, with one cause',
      changed(['paths', `${LIST}{id}/`], undefined),
      [
        ['paths', `openapi ${LIST}{id}/`, `path ${LIST}{id}/ is missing`],
        ['methods', `openapi DELETE ${LIST}{id}/`, `path ${LIST}{id}/ is missing`],
      ],
    ],
    [
      'without a method',
      changed(['paths', `${LIST}{id}/`], {}),
      [['methods', `openapi DELETE ${LIST}{id}/`, 'method DELETE is missing']],
    ],
    [
      'without a query parameter',
      changed(['paths', LIST, 'get', 'parameters'], { 0: query('name') }),
      [
        ['query parameters', `openapi GET ${LIST} query name`, 'query parameter name is missing'],
        ['query parameters', `openapi GET ${LIST} query q`, 'query parameter q is missing'],
      ],
    ],
    [
      'without a request field',
      changed(['components', 'schemas', 'SiteRequest'], object({ title: text })),
      [['request fields', `openapi POST ${LIST} request name`, 'request field name is missing']],
    ],
    [
      'without a field of objects in answers',
      changed(['components', 'schemas', 'Tag'], object({})),
      ['GET', 'POST'].map((method) => [
        'response fields',
        `openapi ${method} ${LIST} response tags.color`,
        'response field tags.color is missing',
      ]),
    ],
    [
      'without a field in answers lacks what is in it too',
      changed(
        ['paths', LIST, 'post', 'responses', '201'],
        json(object({ name: text, region: object({ slug: text, parent: {} }) })),
      ),
      ['tags', 'tags.color'].map((name) => [
        'response fields',
        `openapi POST ${LIST} response ${name}`,
        'response field tags is missing',
      ]),
    ],
  ])('%s', (_name, document, missing) => {
    expect(missingIn(document)).toEqual(missing)
  })
})

it('any other text is refused', () => {
  expect(() => parseDocument('{"detail": "no"}')).toThrow('this is not an OpenAPI document')
})
