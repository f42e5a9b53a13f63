import type { ApiRequest } from '../../api/api-request.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import type { HttpResponse } from '../../api/response.ts'
import { csrfCookieOf, readCookie, sessionCookies, setCookie } from '../../api/sessions/cookies.ts'
import { requireCsrf } from '../../api/sessions/csrf.ts'
import { localPath } from '../../api/sessions/local-path.ts'
import { ApiError } from '../../base/errors.ts'
import type { Authentication } from '../../identity/authenticate.ts'
import { beginFactor, checkFactor, confirmFactor, factorState } from '../../identity/second-factor.ts'
import { startSession } from '../../identity/session.ts'
import { isSameSecret } from '../../identity/session-key.ts'
import { auditLogin, type VerifiedUser } from '../../identity/sign-in.ts'
import { lastValue } from '../../read/query/last-value.ts'
import { isJsonObject } from '../../schema/json.ts'
import { csrfField } from '../components/csrf-field.ts'
import { textIn } from '../forms/form-texts.ts'
import { layout } from '../frame/layout.ts'
import { personalPage, seeOther } from '../frame/page-response.ts'
import { type Content, html } from '../html.ts'
import { inPageLanguage } from '../texts/page-language.ts'
import { translate } from '../texts/translate.ts'
import { completeLogin, sessionOrigin, tokenOfCookie } from './complete-login.ts'
import { refusalOf } from './login-page.ts'
import { codeField, recoveryList, setUpSteps } from './second-factor-parts.ts'

/** The page between the password and the session. */
export const SECOND_STEP = '/login/second-factor/'

const COOKIE = 'login_step'
/** Seconds that a person has, including the time to install an application. */
const MAX_AGE = 600

/** Redirects a user with the right password to the second step, which a signed cookie in the browser allows. */
export function toSecondFactor(
  authentication: Authentication,
  request: ApiRequest,
  user: VerifiedUser,
  next: string,
): HttpResponse {
  const { basePath } = request.service.settings
  const expires = request.service.clock.now() + MAX_AGE * 1000
  const payload = Buffer.from(JSON.stringify({ ...user, expires })).toString('base64url')
  const value = `${payload}.${signatureOf(authentication, payload)}`
  return seeOther(`${basePath}${SECOND_STEP}?next=${encodeURIComponent(next)}`, [
    setCookie(request, COOKIE, value, { httpOnly: true, maxAge: MAX_AGE }),
  ])
}

const signatureOf = ({ vault }: Authentication, payload: string): string => vault.fingerprint(`login step ${payload}`)

const noStep = (request: ApiRequest): string => setCookie(request, COOKIE, '', { httpOnly: true, maxAge: 0 })

/** The user whose password the browser has shown; undefined without a valid cookie. */
function pendingUser(authentication: Authentication, request: ApiRequest): VerifiedUser | undefined {
  const [payload = '', signature = ''] = (readCookie(request, COOKIE) ?? '').split('.')
  if (!isSameSecret(signature, signatureOf(authentication, payload))) return undefined
  // Only this program could sign it.
  const value: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString())
  if (!isJsonObject(value)) return undefined
  const { id, username, is_superuser, way, provider, expires } = value
  if (typeof expires !== 'number' || expires <= request.service.clock.now()) return undefined
  if (typeof id !== 'number' || typeof username !== 'string' || typeof is_superuser !== 'boolean') return undefined
  return {
    ...{ id, username, is_superuser, way: way === 'ldap' ? 'ldap' : 'password' },
    ...(typeof provider === 'string' && { provider }),
  }
}

/** /login/second-factor/: asks for a code, or for the set-up of a required second factor. */
export const secondStep = (authentication: Authentication): Endpoint => ({
  name: 'Second factor',
  description: 'Completes a login by password with a code.',
  access: 'public',
  kind: 'other',
  methods: {
    GET: {
      handle: inPageLanguage(async (request) => {
        const user = pendingUser(authentication, request)
        const next = lastValue(request.search, 'next') ?? ''
        return user ? await stepPage(authentication, request, user, { status: 200, next }) : toLogin(request, next)
      }),
    },
    POST: {
      handle: inPageLanguage((request) => takeStep(authentication, request)),
      // Signing in changes nothing in the inventory.
      isReading: true,
    },
  },
})

const toLogin = (request: ApiRequest, next: string): HttpResponse =>
  seeOther(`${request.service.settings.basePath}/login/?next=${encodeURIComponent(next)}`, [noStep(request)])

async function takeStep(authentication: Authentication, request: ApiRequest): Promise<HttpResponse> {
  const form = await request.body.form()
  const next = textIn(form, 'next')
  const user = pendingUser(authentication, request)
  if (!user) return toLogin(request, next)
  try {
    await requireCsrf(request, tokenOfCookie(request))
    const code = textIn(form, 'code')
    if ((await factorState(authentication, user)) !== 'set') {
      return await setUp(authentication, request, user, { code, next })
    }
    const kind = await checkFactor(authentication, user, code, request.address)
    auditLogin(authentication, user, request.address, kind)
    const response = await completeLogin(request, user.id, next)
    return { ...response, cookies: [...(response.cookies ?? []), noStep(request)] }
  } catch (error) {
    const refusal = refusalOf(error)
    if (!refusal) throw error
    const page = await stepPage(authentication, request, user, { status: refusal.status, next, refusal: refusal.text })
    return { ...page, headers: { ...page.headers, ...refusal.headers } }
  }
}

/** Confirms a new application and signs in; the page shows the recovery codes, which are not shown again. */
async function setUp(
  authentication: Authentication,
  request: ApiRequest,
  user: VerifiedUser,
  { code, next }: { readonly code: string; readonly next: string },
): Promise<HttpResponse> {
  const { service, address } = request
  const codes = await confirmFactor(authentication, user, code.replaceAll(' ', ''), address)
  if (!codes) throw new ApiError({ kind: 'forbidden', detail: translate('The code is wrong.') })
  auditLogin(authentication, user, address, 'code')
  const key = await startSession(service, user.id, sessionOrigin(request))
  const target = localPath(next, request.url, service.settings.basePath)
  return {
    ...framed(request, 200, recoveryList(codes, target)),
    cookies: [...sessionCookies(request, key), noStep(request)],
  }
}

interface Step {
  readonly status: number
  readonly next: string
  readonly refusal?: string
}

async function stepPage(
  authentication: Authentication,
  request: ApiRequest,
  user: VerifiedUser,
  { status, next, refusal }: Step,
): Promise<HttpResponse> {
  const isSet = (await factorState(authentication, user)) === 'set'
  const secret = isSet ? undefined : await beginFactor(authentication, user.id)
  const intro =
    secret === undefined
      ? html`<p>${translate('Enter the code from your authenticator app, or one of your recovery codes.')}</p>`
      : html`<p>${translate('This service requires a code from an authenticator app in addition to your password. Set it up now:')}</p>
${setUpSteps(secret, user.username)}`
  return framed(
    request,
    status,
    html`${refusal !== undefined && html`<p class="notice bad" role="alert">${refusal}</p>`}
${intro}
<form method="post" action="${request.service.settings.basePath}${SECOND_STEP}">
${csrfField(csrfCookieOf(request))}
<input type="hidden" name="next" value="${next}">
<div class="fields">${codeField()}</div>
<div class="buttons"><button>${translate('Log in')}</button></div>
</form>`,
  )
}

function framed(request: ApiRequest, status: number, content: Content): HttpResponse {
  const title = translate('Second factor')
  return personalPage(
    status,
    layout(
      {
        scripts: ['copy.client.ts'],
        ...{ title, basePath: request.service.settings.basePath, address: '/', viewer: undefined },
        body: html`<section class="card narrow" aria-labelledby="step"><h1 id="step">${title}</h1>${content}</section>`,
      },
      request,
    ),
  )
}
