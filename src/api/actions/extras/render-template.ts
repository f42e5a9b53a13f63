import { invalid } from '../../../base/errors.ts'
import { isJsonObject } from '../../../schema/json.ts'
import type { ApiRequest } from '../../api-request.ts'
import { type Action, ANY_OBJECT, schema } from '../action.ts'
import { findTarget } from '../target.ts'
import {
  type ConfigTemplate,
  FORMAT_PARAMETER,
  RENDERED_CONFIG,
  renderedResponse,
  TEMPLATE_COLUMNS,
} from './rendered-config.ts'

async function renderTemplate(request: ApiRequest) {
  // Both permissions are required, and each may cover different templates.
  await findTarget(request, 'extras.configtemplate', { permission: 'render' })
  const template = await findTarget<ConfigTemplate>(request, 'extras.configtemplate', {
    columns: TEMPLATE_COLUMNS,
  })
  const context = (await request.body.read('exact')) ?? {}
  if (!isJsonObject(context)) {
    throw invalid({
      non_field_errors: ['Expected an object with the values for the template.'],
    })
  }
  return await renderedResponse(request, template, { context })
}

/** Renders a config template with the parameters of the body. */
export const renderConfigTemplate: Action = {
  path: 'extras/config-templates/:id/render',
  title: 'Config Template',
  offersText: true,
  methods: {
    POST: {
      permission: { view: 'extras.configtemplate', render: 'extras.configtemplate' },
      parameters: [FORMAT_PARAMETER],
      body: ANY_OBJECT,
      answer: schema('RenderedConfig'),
      isReading: true,
      handle: renderTemplate,
    },
  },
  schemas: { RenderedConfig: RENDERED_CONFIG },
}
