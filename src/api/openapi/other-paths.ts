import type { JsonObject } from '../../schema/json.ts'
import { operation } from './model-paths.ts'
import { schemaReference } from './names.ts'

const ANY_OBJECT: JsonObject = { type: 'object', additionalProperties: {} }

/** Paths that belong to no model. */
export const OTHER_PATHS: Readonly<Record<string, JsonObject>> = {
  '/api/authentication-check/': {
    get: operation({
      id: 'authentication_check_retrieve',
      summary: 'Check whether the request is signed in',
      description: 'The user of the token or session; 403 without one.',
      tag: 'authentication-check',
      status: 200,
      answer: ANY_OBJECT,
    }),
  },
  '/api/schema/': {
    get: operation({
      id: 'schema_retrieve',
      summary: 'Get this document',
      description: 'The version of the API is that of the request, or that of the parameter `version`.',
      tag: 'schema',
      parameters: [{ in: 'query', name: 'format', schema: { type: 'string', enum: ['json', 'yaml'] } }],
      status: 200,
      answer: ANY_OBJECT,
      otherTypes: ['application/vnd.oai.openapi', 'application/vnd.oai.openapi+json'],
    }),
  },
  '/api/status/': {
    get: operation({
      id: 'status_retrieve',
      summary: 'Get versions and state of the service',
      description: 'The version of the API is `netbox-version`, the release of the program is in `installed_apps`.',
      tag: 'status',
      status: 200,
      answer: ANY_OBJECT,
    }),
  },
  '/api/users/tokens/provision/': {
    post: operation({
      id: 'users_tokens_provision_create',
      summary: 'Get a token with name and password',
      description: 'The only response with the token itself. Users with a second factor create tokens on their page.',
      tag: 'users',
      body: schemaReference('TokenProvisionRequest'),
      status: 201,
      answer: schemaReference('Token'),
    }),
  },
}

export const OTHER_SCHEMAS: Readonly<Record<string, JsonObject>> = {
  TokenProvisionRequest: {
    type: 'object',
    properties: {
      username: { type: 'string', minLength: 1, writeOnly: true },
      password: { type: 'string', minLength: 1, writeOnly: true },
      version: { type: 'integer', enum: [1, 2] },
      expires: { type: 'string', format: 'date-time', nullable: true },
      enabled: { type: 'boolean' },
      write_enabled: { type: 'boolean' },
      description: { type: 'string', maxLength: 200 },
      allowed_ips: { type: 'array', items: { type: 'string' }, nullable: true },
      token: { type: 'string', minLength: 1 },
    },
    required: ['password', 'username'],
  },
}
