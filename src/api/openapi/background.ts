import type { JsonObject } from '../../schema/json.ts'
import { schemaReference } from './names.ts'

/** The query parameter that leaves a request on a collection to a background job. */
export const BACKGROUND_PARAMETER: JsonObject = {
  in: 'query',
  name: 'background',
  description: 'Leave the request to a background job, whose data then has the response',
  schema: { type: 'boolean' },
}

/**
 * How a write is tried, for the description of its operation. It is not among the parameters: the response has another form then, and typed
 * clients would get one of two types for each write.
 */
export const DRY_RUN_TEXT =
  'With `dry_run=true` in the query nothing is stored: the response has the effects, and the usual response as `result`.'

/** The header with which a POST can be sent again. */
export const IDEMPOTENCY_PARAMETER: JsonObject = {
  in: 'header',
  name: 'Idempotency-Key',
  description:
    'A text that no other request has: the same request with it gets the same response for 24 hours, and is carried out once',
  schema: { type: 'string', maxLength: 255 },
}

/** As `DRY_RUN_TEXT`, for the replacement of several objects as an upsert. */
export const MATCH_TEXT =
  'With `match=<fields>` in the query, separated by commas, objects with their values are changed and missing ones created; the body is an object or a list, and the response has an outcome and the object for each.'

/** Reference to the response to requests that are left to a job. */
export const ACCEPTED: Readonly<Record<string, JsonObject>> = {
  202: { $ref: '#/components/responses/Accepted' },
}

export const ACCEPTED_RESPONSES: Readonly<Record<string, JsonObject>> = {
  Accepted: {
    description: 'A background job performs the request; nothing has been validated yet',
    headers: { Location: { description: 'URL of the job', schema: { type: 'string' } } },
    content: { 'application/json': { schema: schemaReference('StartedJob') } },
  },
}

export const STARTED_JOB_SCHEMAS: Readonly<Record<string, JsonObject>> = {
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
