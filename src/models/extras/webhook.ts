import { choices } from '../../schema/choices.ts'
import { description, LOGGED, owner, timestamps } from '../../schema/common.ts'
import { boolean, choice, customFields, integer, tags, text } from '../../schema/field.ts'
import { textFilter } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { oncePerBatch } from '../../schema/once-per-batch.ts'
import { type Behaviour, type Change, type Rule, rulesFor } from '../../schema/rule.ts'
import { registered, words } from '../../schema/view.ts'

const webhookHttpMethod = choices([
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
  about: 'A request that is sent to another system when an event rule applies.',
  earlier: { without: ['timeout'] },

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
    timeout: integer({ unit: 's', size: 'small', range: [1, 3600], nullable: true }),
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

  filters: { payload_url: textFilter('payload_url', { default: 'ic', plain: true }) },
  features: [...LOGGED, 'exportTemplates'],
})

export const webhookModel = registered(webhook, {
  columns: words('name http_method payload_url description'),
  moreColumns: { without: words('additional_headers body_template timeout owner.group') },
  labels: { ssl_verification: 'SSL Verification' },
  panels: {
    Webhook: words('name description'),
    'HTTP Request': words('http_method payload_url http_content_type timeout secret'),
    SSL: words('ssl_verification ca_file_path'),
  },
  tables: [{ model: 'extras.webhookdelivery', by: { webhook_id: 'id' }, isShownEmpty: true }],
  form: {
    Webhook: words('name description tags'),
    'HTTP Request': words(`
      payload_url http_method http_content_type additional_headers body_template secret timeout
    `),
    SSL: words('ssl_verification ca_file_path'),
  },
  filters: { Attributes: words('payload_url http_method http_content_type') },
  bulkEdit: words('owner description http_method payload_url ssl_verification secret ca_file_path'),
  importRequires: words('http_method http_content_type'),
  search: { shown: ['description'] },
})

type WebhookRule = Rule<typeof webhook.fields>

const TEMPLATE = /\{\{|\{%|\{#/
const SCHEME = /^\s*([a-z][a-z0-9+.-]*):/i

/** The rendered URL is unknown here, except for a literal scheme. */
const leadsToWebServer: WebhookRule = ({ next }) => {
  const { payload_url: address } = next
  const sentence = 'Enter a valid URL that begins with http:// or https://.'
  const scheme = SCHEME.exec(address)?.[1]?.toLowerCase()
  if (TEMPLATE.test(address)) {
    const isOther = scheme !== undefined && scheme !== 'http' && scheme !== 'https'
    return isOther ? { payload_url: sentence } : undefined
  }
  const isWeb = /^https?:\/\/[^\s/?#]+/i.test(address) && URL.canParse(address)
  return isWeb ? undefined : { payload_url: sentence }
}

const authorityNeedsVerification: WebhookRule = ({ next }) =>
  !next.ssl_verification && next.ca_file_path
    ? { ca_file_path: 'A CA file has no effect unless the certificate is verified.' }
    : undefined

/** Finds out which of the templates Jinja cannot compile, and why. */
type SyntaxErrors = (templates: readonly string[]) => Promise<ReadonlyMap<string, string>>

const TEMPLATES = ['payload_url', 'additional_headers', 'body_template'] as const

/** The templates of the webhook that this write changes. */
const changedTemplates = ({ next, previous }: Pick<Change<typeof webhook.fields>, 'next' | 'previous'>) =>
  TEMPLATES.filter((name) => next[name] !== previous?.[name] && TEMPLATE.test(next[name]))

/** A template with an error would fail at every delivery. */
function templatesCompile(syntaxErrors: SyntaxErrors): WebhookRule {
  const errorsOf = oncePerBatch<typeof webhook.fields, ReturnType<SyntaxErrors>>(({ batch }) =>
    syntaxErrors(batch.flatMap((row) => TEMPLATES.map((name) => row[name])).filter((text) => TEMPLATE.test(text))),
  )
  return async (change) => {
    const changed = changedTemplates(change)
    if (changed.length === 0) return undefined
    const errors = await errorsOf(change)
    const refusals = changed.flatMap((name) => {
      const error = errors.get(change.next[name])
      return error === undefined ? [] : [[name, `This template is invalid: ${error}`]]
    })
    return Object.fromEntries(refusals)
  }
}

/** Rules of webhooks; templates are compiled by an interpreter that is outside the models. */
export const webhookBehaviour = (syntaxErrors: SyntaxErrors): Behaviour =>
  rulesFor(webhook, authorityNeedsVerification, leadsToWebServer, templatesCompile(syntaxErrors))
