import { fieldGroup, modelView, words } from '../../schema/view.ts'

export const webhookView = modelView('extras.webhook', {
  columns: ['name', 'http_method', 'payload_url', 'description'],
  moreColumns: words(
    'id http_content_type secret ssl_verification ca_file_path tags created last_updated owner',
  ),
  labels: { ssl_verification: 'SSL Verification' },
  panels: [
    [
      fieldGroup('Webhook', ['name', 'description']),
      fieldGroup('HTTP Request', ['http_method', 'payload_url', 'http_content_type', 'secret']),
      fieldGroup('SSL', ['ssl_verification', 'ca_file_path']),
    ],
  ],
  tables: [{ model: 'extras.webhookdelivery', by: { webhook_id: 'id' } }],
  form: [
    fieldGroup('Webhook', ['name', 'description', 'tags']),
    fieldGroup(
      'HTTP Request',
      'payload_url http_method http_content_type additional_headers body_template secret',
    ),
    fieldGroup('SSL', ['ssl_verification', 'ca_file_path']),
  ],
  filters: [fieldGroup('Attributes', ['payload_url', 'http_method', 'http_content_type'])],
  bulkEdit: [
    fieldGroup(
      '',
      'owner description http_method payload_url ssl_verification secret ca_file_path',
    ),
  ],
  importRequires: ['http_method', 'http_content_type'],
  imports: words(`
    name payload_url http_method http_content_type additional_headers body_template secret
    ssl_verification ca_file_path description owner.name tags.slug
  `),
  search: { weights: { name: 100, description: 500 }, shown: ['description'] },
})
