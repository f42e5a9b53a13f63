import { expect, it } from 'vitest'
import type { JsonObject } from '../../schema/json.ts'
import { appDocument } from './app-document.ts'

const get = (parameters: readonly string[], schema: string): JsonObject => ({
  get: {
    tags: ['dcim'],
    parameters: parameters.map((name) => ({ in: 'query', name })),
    responses: { 200: { $ref: `#/components/schemas/${schema}` } },
  },
})

const document = (server: string): JsonObject => ({
  openapi: '3.0.3',
  info: { title: 'All', version: '1' },
  servers: [{ url: server }],
  paths: {
    '/api/dcim/sites/': get(['name', 'name__ic', 'id__gte', 'limit'], 'Site'),
    '/api/ipam/prefixes/': get([], 'Prefix'),
    '/api/status/': get([], 'Status'),
  },
  components: {
    securitySchemes: {},
    schemas: {
      Site: { properties: { region: { $ref: '#/components/schemas/Region' } } },
      Region: { type: 'object' },
      Prefix: { type: 'object' },
      Status: { type: 'object' },
    },
  },
})

it('an app has its own operations by resource, without lookups, and the schemas that they need', () => {
  const { servers, paths, components } = appDocument(document(''), 'dcim')
  expect(servers).toBeUndefined()
  expect(paths).toEqual({
    '/api/dcim/sites/': {
      get: {
        tags: ['sites'],
        parameters: [
          { in: 'query', name: 'name' },
          { in: 'query', name: 'limit' },
        ],
        responses: { 200: { $ref: '#/components/schemas/Site' } },
      },
    },
  })
  expect(components).toEqual({
    securitySchemes: {},
    schemas: {
      Site: { properties: { region: { $ref: '#/components/schemas/Region' } } },
      Region: { type: 'object' },
    },
  })
})

it('endpoints that belong to no app have a document of their own', () => {
  expect(Object.keys(appDocument(document(''), '').paths ?? {})).toEqual(['/api/status/'])
})

it('a service below a base path is named as a server', () => {
  expect(appDocument(document('/inventory'), 'dcim').servers).toEqual([{ url: '/inventory' }])
})
