import type { JsonObject } from '../schema/json.ts'
import { schemaReference } from './names.ts'

const content = (schema: JsonObject) => ({ 'application/json': { schema } })

/** Answers of every operation that refuses, as references: to what was sent, and to all else. */
export const REFUSALS: Readonly<Record<string, JsonObject>> = {
  400: { $ref: '#/components/responses/Invalid' },
  default: { $ref: '#/components/responses/Refused' },
}

export const REFUSED_RESPONSES: Readonly<Record<string, JsonObject>> = {
  Invalid: {
    description: 'The request cannot be taken as it is; the messages tell why',
    content: content(schemaReference('InvalidRequest')),
  },
  Refused: {
    description: 'Refused, with the reason',
    content: content(schemaReference('Refusal')),
  },
}

/** What `Messages` of errors.ts are in JSON. */
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
