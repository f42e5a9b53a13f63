import { choices } from '../../schema/choices.ts'
import { description, LOGGED, owner, timestamps } from '../../schema/common.ts'
import { boolean, choice, customFields, tags, text } from '../../schema/field.ts'
import { textFilter } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { modelView, words } from '../../schema/view.ts'

export const webhookHttpMethod = choices([
  ['GET', 'GET'],
  ['POST', 'POST'],
  ['PUT', 'PUT'],
  ['PATCH', 'PATCH'],
  ['DELETE', 'DELETE'],
])

/** An HTTP request that an event rule sends. */
export const webhook = model({
  name: 'extras.webhook',
  path: 'extras/webhooks',
  labels: ['webhook', 'webhooks'],

  fields: {
    name: text({ max: 150, unique: true }),
    description,
    payload_url: text({ max: 500, label: 'URL', example: 'https://example.com/hook' }),
    http_method: choice(webhookHttpMethod, {
      default: 'POST',
      max: 30,
      bare: true,
      label: 'HTTP method',
    }),
    http_content_type: text({ max: 100, default: 'application/json', label: 'HTTP content type' }),
    additional_headers: text({ default: '', filter: false }),
    body_template: text({ default: '', filter: false }),
    secret: text({ max: 255, default: '', isSecret: true }),
    ssl_verification: boolean({ default: true, label: 'SSL verification' }),
    ca_file_path: text({ max: 4096, nullable: true, blank: true, label: 'CA File Path' }),
    custom_fields: customFields(),
    owner,
    tags: tags(),
    ...timestamps,
  },

  graphql: {
    enums: { http_method: ['WebhookHttpMethodEnum', ''] },
    filters: { events: 'event_rules' },
  },
  brief: ['id', 'url', 'display', 'name', 'description'],
  order: ['name'],
  search: ['payload_url', 'name', 'description'],

  filters: {
    payload_url: textFilter('payload_url', { default: 'ic', plain: true }),
  },
  features: [...LOGGED, 'exportTemplates'],
})

export const webhookView = modelView(webhook, {
  columns: words('name http_method payload_url description'),
  moreColumns: words(`
    id http_content_type secret ssl_verification ca_file_path tags created last_updated owner
  `),
  labels: {
    ssl_verification: 'SSL Verification',
  },
  panels: {
    Webhook: words('name description'),
    'HTTP Request': words('http_method payload_url http_content_type secret'),
    SSL: words('ssl_verification ca_file_path'),
  },
  tables: [{ model: 'extras.webhookdelivery', by: { webhook_id: 'id' } }],
  form: {
    Webhook: words('name description tags'),
    'HTTP Request': words(`
      payload_url http_method http_content_type additional_headers body_template secret
    `),
    SSL: words('ssl_verification ca_file_path'),
  },
  filters: {
    Attributes: words('payload_url http_method http_content_type'),
  },
  bulkEdit: words('owner description http_method payload_url ssl_verification secret ca_file_path'),
  importRequires: words('http_method http_content_type'),
  imports: words(`
    name payload_url http_method http_content_type additional_headers body_template secret
    ssl_verification ca_file_path description owner.name tags.slug
  `),
  search: { shown: ['description'] },
})
