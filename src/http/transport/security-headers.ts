import type { Settings } from '../../config/settings.ts'
import type { HttpResponse } from '../response.ts'

type Headers = Readonly<Record<string, string>>
type HstsSettings = Pick<
  Settings,
  'secureHstsSeconds' | 'secureHstsIncludeSubdomains' | 'secureHstsPreload'
>

/**
 * What a page may load and do: files of this service alone, nothing inline. A form's answer may not
 * redirect to another host either (`form-action`), so that a way to another host has to be a link.
 */
export const PAGE_POLICY =
  "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; " +
  "form-action 'self'; frame-ancestors 'none'"

/** A drawing that is opened by itself is a document too, and holds what people typed as names. */
const DRAWING_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'"

const ALWAYS: Headers = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
}

/**
 * The headers of an answer that keep browsers from doing harm with it. An answer's own headers go
 * before them, as the policies of pages with needs of their own do.
 */
export function securityHeaders(settings: HstsSettings): (answer: HttpResponse) => Headers {
  const plain: Headers = { ...ALWAYS, ...strictTransport(settings) }
  const page: Headers = { ...plain, 'Content-Security-Policy': PAGE_POLICY }
  const drawing: Headers = { ...plain, 'Content-Security-Policy': DRAWING_POLICY }
  return ({ type }) => {
    if (type === undefined) return plain
    if (type.startsWith('text/html')) return page
    return type.startsWith('image/svg') ? drawing : plain
  }
}

/** RFC 6797 §6.1. Only where it is asked for: browsers then refuse plain HTTP for as long as it says. */
function strictTransport({
  secureHstsSeconds,
  secureHstsIncludeSubdomains,
  secureHstsPreload,
}: HstsSettings): Headers {
  if (secureHstsSeconds === 0) return {}
  const subdomains = secureHstsIncludeSubdomains ? '; includeSubDomains' : ''
  const preload = secureHstsPreload ? '; preload' : ''
  return { 'Strict-Transport-Security': `max-age=${secureHstsSeconds}${subdomains}${preload}` }
}
