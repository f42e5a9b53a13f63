import { oncePerBatch } from '../../schema/once-per-batch.ts'
import { type Behaviour, type Change, type Rule, rulesFor } from '../../schema/rule.ts'
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

/** Finds out which of the templates Jinja cannot compile, and why. */
export type SyntaxErrors = (templates: readonly string[]) => Promise<ReadonlyMap<string, string>>

const TEMPLATES = ['payload_url', 'additional_headers', 'body_template'] as const

/** The templates of the webhook that this write changes. */
const changedTemplates = ({
  next,
  previous,
}: Pick<Change<typeof webhook.fields>, 'next' | 'previous'>) =>
  TEMPLATES.filter((name) => next[name] !== previous?.[name] && TEMPLATE.test(next[name]))

/** A template with an error would fail at every delivery. */
function templatesCompile(syntaxErrors: SyntaxErrors): WebhookRule {
  const errorsOf = oncePerBatch<typeof webhook.fields, ReturnType<SyntaxErrors>>(({ batch }) =>
    syntaxErrors(
      batch
        .flatMap((row) => TEMPLATES.map((name) => row[name]))
        .filter((text) => TEMPLATE.test(text)),
    ),
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
