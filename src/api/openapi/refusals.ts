import type { JsonObject } from '../../schema/json.ts'
import { schemaReference } from './names.ts'

const content = (schema: JsonObject) => ({ 'application/json': { schema } })

/** References to the error responses of every operation: for invalid requests, and for all other errors. */
export const REFUSALS: Readonly<Record<string, JsonObject>> = {
  400: { $ref: '#/components/responses/Invalid' },
  default: { $ref: '#/components/responses/Refused' },
}

export const REFUSED_RESPONSES: Readonly<Record<string, JsonObject>> = {
  Invalid: {
    description: 'The request is invalid; the messages describe the errors',
    content: content(schemaReference('InvalidRequest')),
  },
  Refused: {
    description: 'Refused, with the reason',
    content: content(schemaReference('Refusal')),
  },
}

/** JSON schemas of `Messages` in errors.ts. */
export const REFUSAL_SCHEMAS: Readonly<Record<string, JsonObject>> = {
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
}
