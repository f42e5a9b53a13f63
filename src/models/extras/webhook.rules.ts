import { type Rule, rulesFor } from '../../schema/rule.ts'
import { webhook } from './webhook.ts'

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
    ? { ca_file_path: 'Without verification of the certificate no CA file is used.' }
    : undefined

export const webhookRules = rulesFor(webhook, authorityNeedsVerification, leadsToWebServer)
