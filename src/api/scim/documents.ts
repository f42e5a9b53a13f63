import type { JsonObject } from '../../schema/json.ts'
import { MOST_RESULTS } from './messages.ts'

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group'

/** The SCIM features that this service supports (RFC 7643 §5). */
export const SERVICE_PROVIDER_CONFIG: JsonObject = {
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: MOST_RESULTS },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: false },
  authenticationSchemes: [
    { type: 'oauthbearertoken', name: 'Bearer token', description: 'The token of the provider.', primary: true },
  ],
}

const resourceType = (id: 'User' | 'Group', schema: string): JsonObject => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
  ...{ id, name: id, endpoint: `/${id}s`, schema },
})

export const RESOURCE_TYPES: readonly JsonObject[] = [
  resourceType('User', USER_SCHEMA),
  resourceType('Group', GROUP_SCHEMA),
]

const attribute = (name: string, more: JsonObject = {}): JsonObject => ({
  ...{ name, type: 'string', multiValued: false, required: false, caseExact: false },
  ...{ mutability: 'readWrite', returned: 'default', uniqueness: 'none' },
  ...more,
})

const schema = (id: string, name: string, attributes: readonly JsonObject[]): JsonObject => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
  ...{ id, name, attributes: [...attributes] },
})

/** The attributes that are stored (RFC 7643 §7); others are accepted and dropped. */
export const SCHEMAS: readonly JsonObject[] = [
  schema(USER_SCHEMA, 'User', [
    attribute('userName', { required: true, uniqueness: 'server' }),
    attribute('externalId', { caseExact: true }),
    attribute('active', { type: 'boolean' }),
    attribute('displayName', { mutability: 'readOnly' }),
    attribute('name', { type: 'complex', subAttributes: [attribute('givenName'), attribute('familyName')] }),
    attribute('emails', {
      ...{ type: 'complex', multiValued: true },
      subAttributes: [attribute('value'), attribute('type'), attribute('primary', { type: 'boolean' })],
    }),
    attribute('groups', {
      ...{ type: 'complex', multiValued: true, mutability: 'readOnly' },
      subAttributes: [attribute('value'), attribute('display')],
    }),
  ]),
  schema(GROUP_SCHEMA, 'Group', [
    attribute('displayName', { required: true, uniqueness: 'server', caseExact: true }),
    attribute('externalId', { caseExact: true }),
    attribute('members', {
      ...{ type: 'complex', multiValued: true },
      subAttributes: [
        attribute('value', { mutability: 'immutable' }),
        attribute('display', { mutability: 'readOnly' }),
      ],
    }),
  ]),
]
