import type { Settings } from '../../config/settings.ts'
import type { HttpResponse } from '../response.ts'

type Headers = Readonly<Record<string, string>>
type HstsSettings = Pick<Settings, 'secureHstsSeconds' | 'secureHstsIncludeSubdomains' | 'secureHstsPreload'>

/**
 * Policy of pages: files of this service only, nothing inline. A form may not redirect to another host either
 * (`form-action`), so an action that leads to another host has to be a link.
 */
const PAGE_POLICY =
  "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; " +
  "form-action 'self'; frame-ancestors 'none'"

/** An SVG opened on its own is a document, and contains names that users have entered. */
const DRAWING_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'"

const ALWAYS: Headers = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
}

/**
 * Security headers of a response. The response's own headers take precedence, for example the policies of pages with
 * other needs.
 */
export function securityHeaders(settings: HstsSettings): (response: HttpResponse) => Headers {
  const plain: Headers = { ...ALWAYS, ...strictTransport(settings) }
  const page: Headers = { ...plain, 'Content-Security-Policy': PAGE_POLICY }
  const drawing: Headers = { ...plain, 'Content-Security-Policy': DRAWING_POLICY }
  return ({ type }) => {
    if (type === undefined) return plain
    if (type.startsWith('text/html')) return page
    return type.startsWith('image/svg') ? drawing : plain
  }
}

/**
 * Value of Strict-Transport-Security (RFC 6797 §6.1). Off by default: browsers then refuse plain HTTP for the whole
 * period.
 */
function strictTransport({ secureHstsSeconds, secureHstsIncludeSubdomains, secureHstsPreload }: HstsSettings): Headers {
  if (secureHstsSeconds === 0) return {}
  const subdomains = secureHstsIncludeSubdomains ? '; includeSubDomains' : ''
  const preload = secureHstsPreload ? '; preload' : ''
  return { 'Strict-Transport-Security': `max-age=${secureHstsSeconds}${subdomains}${preload}` }
}
