import { type Authentication, authenticate } from '../../identity/authenticate.ts'
import { linkedUserId, personOfHeaders } from '../../identity/proxy-header.ts'
import { findSession, renewSession } from '../../identity/session.ts'
import { csrfTokenOf } from '../../identity/session-key.ts'
import { isSafe } from '../transport/safe-methods.ts'
import type { Sender, Unidentified } from '../transport/sender.ts'
import { csrfCookie, csrfCookieOf, sessionCookies, sessionKeyOf } from './cookies.ts'
import { requireCsrf } from './csrf.ts'

/**
 * The sender of the request, by the Authorization header, otherwise by the session cookie. A cookie without a valid
 * session is ignored. Throws `unauthenticated` for a refused token, and `forbidden` if a request within a session that
 * changes something may come from another site.
 */
export async function identify(authentication: Authentication, request: Unidentified): Promise<Sender> {
  const { headers, address } = request
  const actor = await authenticate(authentication, headers.authorization, address)
  if (actor.kind === 'user') return { actor }
  const key = sessionKeyOf(request)
  const session = key === undefined ? undefined : await findSession(authentication.service, key)
  if (key === undefined || !session) return { actor }
  if (await isSomebodyElses(authentication, request, session.user.id)) return { actor }
  const csrfToken = csrfTokenOf(key)
  if (!isSafe(request.method)) await requireCsrf(request, csrfToken)
  const isRenewed = await renewSession(authentication.service, session)
  return { actor: session.user, csrfToken, cookies: cookiesFor(request, key, isRenewed) }
}

/**
 * True if a trusted proxy names another person than the one who started the session: somebody else has signed in at the
 * proxy, in the same browser.
 */
async function isSomebodyElses(
  { service, providers }: Authentication,
  request: Unidentified,
  userId: number,
): Promise<boolean> {
  const proxied = personOfHeaders(providers.headers, service.settings, request)
  return proxied !== undefined && (await linkedUserId(service, proxied.person)) !== userId
}

/** Sets the CSRF cookie again if the browser has lost it: scripts need it. */
function cookiesFor(request: Unidentified, key: string, isRenewed: boolean): readonly string[] {
  if (isRenewed) return sessionCookies(request, key)
  const token = csrfTokenOf(key)
  return csrfCookieOf(request) === token ? [] : [csrfCookie(request, token)]
}
