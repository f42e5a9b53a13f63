import { load } from 'js-yaml'
import { describe, expect, it } from 'vitest'
import { choices } from '../../schema/choices.ts'
import {
  choice,
  file,
  foreignKey,
  genericForeignKey,
  integer,
  list,
  relatedCount,
  slug,
  tags,
  text,
} from '../../schema/field.ts'
import type { Json, JsonObject } from '../../schema/json.ts'
import { model } from '../../schema/model.ts'
import { buildRegistry } from '../../schema/registry.ts'
import { openApiDocument } from './document.ts'
import { openApiTexts } from './texts.ts'

const registry = buildRegistry([
  model({
    name: 'toy.boxtype',
    path: 'toy/box-types',
    labels: ['box type', 'box types'],
    fields: {
      name: text({ max: 100 }),
      slug: slug({ max: 50 }),
      parent: foreignKey('toy.boxtype', {
        onDelete: 'cascade',
        nullable: true,
        projection: ['id', 'name', 'slug'],
      }),
      box_count: relatedCount('toy.vmbox', 'box_type'),
    },
    display: '{name}',
    brief: ['id', 'url', 'display', 'name', 'box_count'],
    order: ['name'],
  }),
  model({
    name: 'toy.vmbox',
    path: 'toy/vm-boxes',
    labels: ['box', 'boxes'],
    fields: {
      name: text({ max: 10, default: '', help: 'What it is called' }),
      box_type: foreignKey('toy.boxtype', { onDelete: 'protect' }),
      status: choice(choices([['on', 'On']]), { nullable: true, blank: true }),
      secret: text({ writeOnly: true, nullable: true }),
      hidden: integer({ hidden: true, default: 0 }),
      ranges: list('range', { default: [] }),
      owner: genericForeignKey(['toy.boxtype'], { nullable: true }),
      picture: file({ image: true, directory: 'pictures', default: '' }),
      tags: tags(),
    },
    display: '{name}',
    brief: ['id', 'url', 'display', 'name'],
    order: ['name'],
    methods: ['GET', 'POST'],
  }),
  model({
    name: 'extras.tag',
    labels: ['tag', 'tags'],
    fields: { name: text({}), slug: slug({}) },
    display: '{name}',
    brief: ['id', 'url', 'display', 'name'],
    order: ['name'],
  }),
  model({
    name: 'extras.taggeditem',
    labels: ['tagged item', 'tagged items'],
    fields: { tag: foreignKey('extras.tag', { onDelete: 'cascade' }) },
    display: '{id}',
    brief: ['id'],
    order: ['id'],
  }),
  model({
    name: 'users.token',
    path: 'users/tokens',
    labels: ['token', 'tokens'],
    fields: { key: text({}) },
    display: '{key}',
    brief: ['id', 'url', 'display'],
    order: ['id'],
  }),
])
const options = { version: '4.6.8', basePath: '/base' }
const document = openApiDocument(registry, options)

/** Value at a path of names in the document. */
const at = (...names: readonly string[]): Json | undefined =>
  names.reduce<Json | undefined>((json, name) => (json as JsonObject)?.[name], document)
const schema = (...names: readonly string[]) => at('components', 'schemas', ...names)

// Path in the schemas → expected value.
const cases: readonly (readonly [string, Json | undefined])[] = [
  ['BoxType properties name', { type: 'string', maxLength: 100 }],
  ['BoxType properties parent', { allOf: [{ $ref: '#/components/schemas/NestedBoxType' }], nullable: true }],
  [
    'NestedBoxType',
    {
      type: 'object',
      properties: {
        id: { type: 'integer', readOnly: true, description: 'Never changes' },
        name: { type: 'string', maxLength: 100 },
        slug: {
          ...{ type: 'string', maxLength: 50, pattern: '^[-a-zA-Z0-9_]+$' },
          description: 'Unique name in addresses: letters, digits, hyphens, underscores',
        },
      },
      required: ['id', 'name', 'slug'],
    },
  ],
  ['WritableBoxTypeRequest required', ['name', 'slug']],
  [
    'WritableBoxTypeRequest properties parent',
    {
      oneOf: [{ type: 'integer', nullable: true }, { $ref: '#/components/schemas/BriefBoxTypeRequest' }],
      description: 'The id of the box type, or attributes that identify it',
    },
  ],
  ['BoxType properties box_count description', 'Number of boxes'],
  // Related objects have the attributes that responses show, here and as parents.
  // Any of them may identify the object.
  ['BriefBoxTypeRequest required', undefined],
  ['BulkBoxTypeRequest required', ['id', 'name', 'slug']],
  [
    'VMBox properties status',
    {
      type: 'object',
      properties: {
        value: { type: 'string', enum: ['on'] },
        label: { type: 'string', enum: ['On'] },
      },
      nullable: true,
    },
  ],
  ['WritableVMBoxRequest properties status', { type: 'string', enum: ['on', '', null], nullable: true }],
  ['WritableVMBoxRequest properties name', { type: 'string', maxLength: 10, description: 'What it is called' }],
  ['WritableVMBoxRequest required', ['box_type']],
  ['VMBox properties box_type', { $ref: '#/components/schemas/BriefBoxType' }],
  ['VMBox properties ranges', { type: 'array', items: { $ref: '#/components/schemas/IntegerRange' } }],
  ['VMBox properties owner', { readOnly: true }],
  ['VMBox properties owner_type', { type: 'string', nullable: true }],
]

describe('the OpenAPI document', () => {
  it.each(cases)('describes %s', (path, expected) => {
    expect(schema(...path.split(' '))).toEqual(expected)
  })

  it('omits hidden fields, and write-only fields from responses', () => {
    const properties = Object.keys(schema('VMBox', 'properties') as JsonObject)
    expect(properties).not.toContain('secret')
    const sent = Object.keys(schema('WritableVMBoxRequest', 'properties') as JsonObject)
    expect(sent).toEqual([
      'name',
      'box_type',
      'status',
      'secret',
      'ranges',
      'owner_type',
      'owner_id',
      'picture',
      'tags',
      'add_tags',
      'remove_tags',
    ])
  })

  it('has the operations that the model allows, with the operation ids of NetBox', () => {
    const ids = Object.entries(at('paths') as JsonObject).flatMap(([path, item]) =>
      path.includes('/toy/')
        ? Object.entries(item as JsonObject).map(
            ([method, operation]) => `${method} ${(operation as JsonObject).operationId}`,
          )
        : [],
    )
    expect(ids).toEqual([
      'get toy_box_types_list',
      'post toy_box_types_create',
      'put toy_box_types_bulk_update',
      'patch toy_box_types_bulk_partial_update',
      'delete toy_box_types_bulk_destroy',
      'get toy_box_types_retrieve',
      'put toy_box_types_update',
      'patch toy_box_types_partial_update',
      'delete toy_box_types_destroy',
      'get toy_vm_boxes_list',
      'post toy_vm_boxes_create',
      'get toy_vm_boxes_retrieve',
    ])
  })

  // Not by references: Ansible's inventory reads the names of filters from the places where they are used.
  it('lists each query parameter of a collection once, sorted by name', () => {
    const parameters = at('paths', '/api/toy/vm-boxes/', 'get', 'parameters') as readonly JsonObject[]
    const names = parameters.map(({ name }) => String(name))
    expect(names).toEqual([...new Set(names)].toSorted())
    expect(names).toEqual(expect.arrayContaining(['box_type_id__n', 'brief', 'limit', 'name__ic', 'ordering', 'tag']))
  })

  it('sums up every operation in a few words', () => {
    const paths = Object.entries(document.paths as Record<string, Record<string, JsonObject>>)
    const summaries = paths.flatMap(([path, item]) =>
      Object.entries(item).map(([method, { summary }]) => [`${method} ${path}`, summary]),
    )
    expect(summaries.filter(([, summary]) => typeof summary !== 'string')).toEqual([])
    expect(Object.fromEntries(summaries)).toMatchObject({
      'get /api/toy/box-types/': 'List box types',
      'patch /api/toy/box-types/{id}/': 'Change one box type',
      'delete /api/toy/box-types/': 'Delete several box types',
    })
  })

  // Path and method → media types of the body.
  it.each([
    ['/api/toy/box-types/', 'put', ['application/json']],
    ['/api/toy/vm-boxes/', 'post', ['application/json', 'multipart/form-data']],
  ])('accepts multipart forms where a file may be sent: %s %s', (path, method, types) => {
    const content = at('paths', path, method, 'requestBody', 'content')
    expect(Object.keys(content as JsonObject)).toEqual(types)
  })

  it('describes bulk creation and deletion', () => {
    expect(
      at('paths', '/api/toy/vm-boxes/', 'post', 'responses', '201', 'content', 'application/json', 'schema'),
    ).toEqual({
      oneOf: [{ $ref: '#/components/schemas/VMBox' }, { type: 'array', items: { $ref: '#/components/schemas/VMBox' } }],
    })
    const deletion = at('paths', '/api/toy/box-types/', 'delete', 'requestBody') as JsonObject
    expect(JSON.stringify(deletion)).toContain('/PatchedBulkBoxTypeRequest"')
    expect(schema('PatchedBulkBoxTypeRequest', 'required')).toEqual(['id'])
  })

  it('names the media types of an action besides JSON', () => {
    const answer = { type: 'array', items: {} }
    const GET = { answer, otherTypes: ['image/svg+xml'] }
    const actions = [{ path: 'toy/boxes/:id/look', offersText: true, methods: { GET } }]
    const { paths } = openApiDocument(registry, { ...options, actions })
    const item = (paths as JsonObject)['/api/toy/boxes/{id}/look/'] as JsonObject
    expect(item).toMatchObject({
      get: {
        responses: {
          200: {
            content: {
              'application/json': { schema: answer },
              'image/svg+xml': { schema: { type: 'string' } },
              'text/plain': { schema: { type: 'string' } },
            },
          },
        },
      },
    })
  })

  it('names the media types of the document itself', () => {
    const content = at('paths', '/api/schema/', 'get', 'responses', '200', 'content')
    expect(Object.keys(content as JsonObject)).toContain('application/vnd.oai.openapi+json')
  })

  it('describes the error responses of every operation', () => {
    const responses = at('paths', '/api/toy/box-types/{id}/', 'delete', 'responses') as JsonObject
    expect(Object.keys(responses)).toEqual('204 400 403 404 409 412 413 429 503 507 2XX default'.split(' '))
    expect(schema('Refusal', 'required')).toEqual(['detail'])
  })

  it('lists null in each enum that may be null, and puts no type beside a reference that may be null', () => {
    const wrong: JsonObject[] = []
    JSON.stringify(openApiDocument(registry, options), (_name, value) => {
      if (value?.nullable === true && (value.enum ? !value.enum.includes(null) : value.allOf && value.type)) {
        wrong.push(value)
      }
      return value
    })
    expect(wrong).toEqual([])
  })

  it('has the same content in YAML and JSON', () => {
    const texts = openApiTexts(registry, options)
    expect(load(texts.yaml().body.toString())).toEqual(JSON.parse(texts.json().body.toString()))
  })
})
