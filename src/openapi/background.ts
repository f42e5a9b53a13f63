import type { JsonObject } from '../schema/json.ts'
import { schemaReference } from './names.ts'

/** The query parameter that leaves a request on a collection to a background job. */
export const BACKGROUND_PARAMETER: JsonObject = {
  in: 'query',
  name: 'background',
  description: 'Leave the request to a background job, whose data then has the response',
  schema: { type: 'boolean' },
}

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
