import { invalid } from '../../../base/errors.ts'
import { previewLogin } from '../../../identity/login-preview.ts'
import { isJsonObject } from '../../../schema/json.ts'
import type { ApiRequest } from '../../api-request.ts'
import { jsonResponse } from '../../response.ts'
import { action, listOf, schema } from '../action.ts'

const TEXT = { type: 'string' } as const
const REASONS = listOf({
  type: 'object',
  required: ['source', 'provider_group', 'mapping'],
  properties: {
    source: { type: 'string', enum: ['configuration', 'database', 'same name', 'default_groups'] },
    provider_group: { ...TEXT, nullable: true },
    mapping: { type: 'integer', format: 'int64', nullable: true },
  },
})

async function preview({ service, body }: ApiRequest) {
  const document = await body.read()
  const { provider, groups = [] } = isJsonObject(document) ? document : {}
  if (typeof provider !== 'string') throw invalid({ provider: ['Name the login provider.'] })
  if (!Array.isArray(groups) || !groups.every((group) => typeof group === 'string')) {
    throw invalid({ groups: ['Expected a list of names.'] })
  }
  return jsonResponse(200, await previewLogin(service, provider, groups))
}

/** POST: the groups and permissions that a person with these groups of a provider would get, and why. */
export const loginPreview = action({
  path: 'users/group-mappings/preview',
  title: 'Login Preview',
  description: 'What a person in the named groups of a login provider would get at a login, and why. Changes nothing.',
  hasNoHistory: true,
  methods: {
    POST: {
      permission: 'superuser',
      isReading: true,
      summary: 'Preview what groups of a provider give',
      verb: 'preview',
      body: {
        type: 'object',
        required: ['provider'],
        properties: { provider: TEXT, groups: listOf(TEXT) },
      },
      answer: schema('LoginPreview'),
      handle: preview,
    },
  },
  schemas: {
    LoginPreview: {
      type: 'object',
      required: ['provider', 'reads_groups', 'groups', 'is_superuser', 'superuser_reasons', 'permissions', 'unused'],
      properties: {
        provider: TEXT,
        reads_groups: { type: 'boolean' },
        groups: listOf({
          type: 'object',
          required: ['id', 'name', 'reasons'],
          properties: { id: { type: 'integer', format: 'int64', nullable: true }, name: TEXT, reasons: REASONS },
        }),
        is_superuser: { type: 'boolean', nullable: true },
        superuser_reasons: REASONS,
        permissions: listOf({
          type: 'object',
          required: ['id', 'name', 'object_types', 'actions', 'constrained', 'groups'],
          properties: {
            id: { type: 'integer', format: 'int64' },
            name: TEXT,
            object_types: listOf(TEXT),
            actions: listOf(TEXT),
            constrained: { type: 'boolean' },
            groups: listOf(TEXT),
          },
        }),
        unused: listOf(TEXT),
      },
    },
  },
})
