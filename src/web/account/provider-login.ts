import type { ApiRequest } from '../../api/api-request.ts'
import type { HttpResponse } from '../../api/response.ts'
import { type CookieRequest, readCookie, setCookie } from '../../api/sessions/cookies.ts'
import type { AccountPolicy } from '../../config/auth-providers.ts'
import type { Authentication } from '../../identity/authenticate.ts'
import type { Person } from '../../identity/external-account.ts'
import { LoginRefusal, reasonOf } from '../../identity/login-refusal.ts'
import { isJsonObject } from '../../schema/json.ts'
import { completeLogin } from './complete-login.ts'
import { refusedLogin } from './login-page.ts'

/** The last step of a login by a provider. */
interface ProviderLogin {
  readonly config: AccountPolicy
  readonly way: 'oidc' | 'saml' | 'header'
  /** Target after the login; not trusted. */
  readonly next: string | undefined
  /** The person whom the provider has authenticated. Throws LoginRefusal. */
  readonly person: () => Person | Promise<Person>
}

/** Starts the session of the person, or shows the login page with the reason of the refusal; both are audited. */
export async function logInByProvider(
  authentication: Authentication,
  request: ApiRequest,
  { config, way, next, person }: ProviderLogin,
): Promise<HttpResponse> {
  const { audit, externalUsers } = authentication
  const { address } = request
  try {
    const { id, username } = await externalUsers(await person(), { policy: config, requestId: request.id })
    audit({ event: 'login', user: username, way, provider: config.name, address })
    return await completeLogin(request, id, next)
  } catch (error) {
    if (error instanceof LoginRefusal) {
      audit({ event: 'loginFailed', reason: reasonOf(error), user: undefined, provider: config.name, address })
    }
    return refusedLogin(authentication, request, error, { next })
  }
}

/** Seconds that a person has for the provider's pages. */
const MAX_AGE = 600

/** Browsers drop cookies of more than 4,096 bytes, so a longer target is dropped instead. */
const LONGEST_NEXT = 2_000

/** The cookie with a login that has started at a provider; `next` is its target. */
interface PendingCookie {
  readonly name: string
  /** The provider's response is a POST from its pages, with which browsers send no other cookies. */
  readonly isCrossSite: boolean
}

/** Header that stores a pending login in a cookie. An attacker who can read it could also read the session cookie. */
export function storePending(
  request: CookieRequest,
  { name, isCrossSite }: PendingCookie,
  { next = '', ...visit }: Readonly<Record<string, string>>,
): string {
  const kept = next.length > LONGEST_NEXT ? visit : { ...visit, next }
  const value = Buffer.from(JSON.stringify(kept)).toString('base64url')
  return setCookie(request, name, value, { httpOnly: true, maxAge: MAX_AGE, isCrossSite })
}

/** Header that deletes the cookie, since it can be used only once. */
export const dropPending = (request: CookieRequest, { name, isCrossSite }: PendingCookie): string =>
  setCookie(request, name, '', { httpOnly: true, maxAge: 0, isCrossSite })

/** The texts of the pending login, none of which is trusted; undefined if one is absent. */
export function readPending<const Name extends string>(
  request: CookieRequest,
  { name }: PendingCookie,
  names: readonly Name[],
): (Readonly<Record<Name, string>> & { readonly next?: string }) | undefined {
  const kept = parse(readCookie(request, name) ?? '')
  const texts = Object.fromEntries(
    isJsonObject(kept) ? Object.entries(kept).filter(([, value]) => typeof value === 'string') : [],
  )
  if (!names.every((name) => Object.hasOwn(texts, name))) return undefined
  // All of these names are present, and all values are texts.
  return texts as Readonly<Record<Name, string>>
}

/** The refusal of a response to a login that this browser has not started. */
export const notStarted = (): LoginRefusal => new LoginRefusal('This login was not started here, or it has expired.')

function parse(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    return undefined
  }
}
