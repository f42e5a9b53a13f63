import type { JsonObject } from '../../schema/json.ts'
import { jsonContent, schemaReference } from './names.ts'

/** References to the response to refused requests, by status. */
export const refused = (...statuses: readonly (number | 'default')[]): Record<string, JsonObject> =>
  Object.fromEntries(statuses.map((status) => [status, { $ref: '#/components/responses/Refused' }]))

/** References to the error responses of every operation. */
export const REFUSALS: Readonly<Record<string, JsonObject>> = {
  400: { $ref: '#/components/responses/Invalid' },
  ...refused(403, 429, 503, 'default'),
}

/** Reference to the response to requests that a job performs. */
export const ACCEPTED: Readonly<Record<string, JsonObject>> = {
  202: { $ref: '#/components/responses/Accepted' },
}

/**
 * Reference to the response to requests that are only tried, for operations whose usual status is another one. Under
 * 2XX, because generators take the type of the response from the lowest status.
 */
export const TRIED: Readonly<Record<string, JsonObject>> = {
  '2XX': { $ref: '#/components/responses/Tried' },
}

/** Responses that several operations have, by the names of the references to them. */
export const RESPONSES: Readonly<Record<string, JsonObject>> = {
  Accepted: {
    description: 'A background job performs the request; nothing has been validated yet',
    headers: { Location: { description: 'URL of the job', schema: { type: 'string' } } },
    content: jsonContent(schemaReference('StartedJob')),
  },
  Tried: {
    description: 'With `dry_run`, under the status 200: what the request would do',
    content: jsonContent(schemaReference('DryRun')),
  },
  Invalid: {
    description: 'The request is invalid; the messages describe the errors',
    content: jsonContent(schemaReference('InvalidRequest')),
  },
  Refused: {
    description: 'Refused, with the reason',
    content: jsonContent(schemaReference('Refusal')),
  },
}

const EFFECTS = ['created', 'changed', 'deleted', 'changes', 'deliveries']
const ANY_OBJECT: JsonObject = { type: 'object', additionalProperties: {} }

/** Schemas of these responses. For the bodies of errors, see `Messages` in errors.ts. */
export const RESPONSE_SCHEMAS: Readonly<Record<string, JsonObject>> = {
  Refusal: {
    type: 'object',
    properties: { detail: { type: 'string' } },
    required: ['detail'],
  },
  InvalidRequest: {
    description: 'Messages by field; for a bulk request a list parallel to what was sent',
    oneOf: [
      schemaReference('FieldMessages'),
      { type: 'array', items: { oneOf: [{ type: 'string' }, schemaReference('FieldMessages')] } },
    ],
  },
  FieldMessages: {
    type: 'object',
    description:
      'Messages by the name of the field, `__all__` or `non_field_errors` for the object as a whole, `detail` for the request',
    additionalProperties: {},
  },
  DryRun: {
    type: 'object',
    description: 'The effects of a request that was tried; each list has at most 1,000 entries',
    properties: {
      dry_run: { type: 'boolean' },
      status: { type: 'integer', description: 'Status of the response that the request would get' },
      result: { description: 'Body of that response' },
      counts: {
        type: 'object',
        properties: Object.fromEntries(EFFECTS.map((name) => [name, { type: 'integer' }])),
        required: EFFECTS,
      },
      ...Object.fromEntries(EFFECTS.map((name) => [name, { type: 'array', items: ANY_OBJECT }])),
    },
    required: ['dry_run', 'status', 'counts', ...EFFECTS],
  },
  StartedJob: {
    type: 'object',
    properties: {
      job: {
        type: 'object',
        properties: {
          id: { type: 'integer' },
          url: { type: 'string', format: 'uri' },
          status: {
            type: 'object',
            properties: { value: { type: 'string' }, label: { type: 'string' } },
            required: ['value', 'label'],
          },
        },
        required: ['id', 'url', 'status'],
      },
    },
    required: ['job'],
  },
}
