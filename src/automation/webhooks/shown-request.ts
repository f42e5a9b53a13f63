import type { JsonObject } from '../../schema/json.ts'
import type { PreparedRequest } from './webhook-request.ts'

const HIDDEN = '********'
/** Headers and parameters whose values are secrets, by parts of their names. */
const SECRET = /auth|cookie|credential|key|pass|secret|session|signature|token/i

/**
 * The request in the form shown with attempts of a delivery: without its body, and without values that may be secrets.
 */
export function shownRequest({ url, method, headers, body }: PreparedRequest): JsonObject {
  const shownUrl = new URL(url)
  shownUrl.username = ''
  shownUrl.password = ''
  for (const name of new Set(shownUrl.searchParams.keys())) {
    if (SECRET.test(name)) shownUrl.searchParams.set(name, HIDDEN)
  }
  return {
    method,
    url: shownUrl.href,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, SECRET.test(name) ? HIDDEN : value]),
    ),
    body_size: body.length,
  }
}
