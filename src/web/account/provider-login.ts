import type { ApiRequest } from '../../api/api-request.ts'
import type { HttpResponse } from '../../api/response.ts'
import { readCookie, setCookie } from '../../api/sessions/cookies.ts'
import { localPath } from '../../api/sessions/local-path.ts'
import type { AccountPolicy } from '../../config/auth-providers.ts'
import type { Authentication } from '../../identity/authenticate.ts'
import type { Person } from '../../identity/external-account.ts'
import { LoginRefusal, reasonOf } from '../../identity/login-refusal.ts'
import { lastValue } from '../../read/query/last-value.ts'
import { isJsonObject } from '../../schema/json.ts'
import { seeOther } from '../frame/page-response.ts'
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

/** A visit to the pages of a provider, from which the browser returns with a person. */
export interface ProviderVisit<Name extends string> {
  readonly config: AccountPolicy
  readonly way: 'oidc' | 'saml'
  /** The provider's response is a POST from its pages, with which browsers send no other cookies. */
  readonly isCrossSite: boolean
  /** Names of the texts that a cookie keeps until the response: they tie it to this browser. */
  readonly kept: readonly Name[]
}

/** Redirects the browser to the provider, or shows the login page with the reason of the refusal. */
export async function startLogin<Name extends string>(
  authentication: Authentication,
  request: ApiRequest,
  visit: ProviderVisit<Name>,
  begin: () => Promise<{ readonly address: URL; readonly pending: Readonly<Record<Name, string>> }>,
): Promise<HttpResponse> {
  const { search, url, service } = request
  const next = localPath(lastValue(search, 'next'), url, service.settings.basePath)
  try {
    const { address, pending } = await begin()
    // Browsers drop cookies of more than 4,096 bytes, so a longer target is dropped instead.
    const target = next.length > LONGEST_NEXT ? {} : { next }
    const text = JSON.stringify({ ...pending, provider: visit.config.name, ...target })
    return seeOther(address.href, [pendingCookie(request, visit, Buffer.from(text).toString('base64url'), MAX_AGE)])
  } catch (error) {
    return refusedLogin(authentication, request, error, { next })
  }
}

/** Starts the session of the person who returns from the provider. The cookie can be used only once. */
export async function finishLogin<Name extends string>(
  authentication: Authentication,
  request: ApiRequest,
  visit: ProviderVisit<Name>,
  complete: (pending: Readonly<Record<Name, string>>) => Promise<Person>,
): Promise<HttpResponse> {
  const { config, way } = visit
  const pending = readPending(request, visit)
  const response = await logInByProvider(authentication, request, {
    ...{ config, way, next: pending?.next },
    person: async () => {
      // The response of one provider must not complete a login that started at another.
      if (pending?.provider === config.name) return await complete(pending)
      throw new LoginRefusal('This login was not started here, or it has expired.')
    },
  })
  return { ...response, cookies: [...(response.cookies ?? []), pendingCookie(request, visit, '', 0)] }
}

/** Seconds that a person has for the provider's pages. */
const MAX_AGE = 600

const LONGEST_NEXT = 2_000

const cookieName = ({ way }: Pick<ProviderVisit<string>, 'way'>): string => `${way}_login`

/** Header with the cookie of a started login. An attacker who can read it could also read the session cookie. */
const pendingCookie = (request: ApiRequest, visit: ProviderVisit<string>, value: string, maxAge: number): string =>
  setCookie(request, cookieName(visit), value, { httpOnly: true, maxAge, isCrossSite: visit.isCrossSite })

/** The texts of the pending login, none of which is trusted; undefined if one is absent. */
function readPending<Name extends string>(
  request: ApiRequest,
  visit: ProviderVisit<Name>,
): (Readonly<Record<Name | 'provider', string>> & { readonly next?: string }) | undefined {
  const document = parse(readCookie(request, cookieName(visit)) ?? '')
  const texts = Object.fromEntries(
    isJsonObject(document) ? Object.entries(document).filter(([, value]) => typeof value === 'string') : [],
  )
  if (![...visit.kept, 'provider'].every((name) => Object.hasOwn(texts, name))) return undefined
  // All of these names are present, and all values are texts.
  return texts as Readonly<Record<Name | 'provider', string>>
}

function parse(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    return undefined
  }
}
