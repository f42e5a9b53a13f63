import type { ApiRequest } from '../../api/api-request.ts'
import { ApiError } from '../../base/errors.ts'
import type { Authentication } from '../../identity/authenticate.ts'
import { requireUser } from '../../identity/require-user.ts'
import {
  beginFactor,
  checkFactor,
  confirmFactor,
  type FactorOwner,
  factorState,
  isRequired,
  removeFactor,
} from '../../identity/second-factor.ts'
import { csrfField } from '../components/csrf-field.ts'
import { textIn } from '../forms/form-texts.ts'
import type { FramedPage, PageResponse } from '../frame/page-frame.ts'
import { type Content, html } from '../html.ts'
import { translate } from '../texts/translate.ts'
import { accountPage } from './account-page.ts'
import { codeField, recoveryList, setUpSteps } from './second-factor-parts.ts'

/** GET and POST of the page on which users set up, and remove, their second factor. */
export async function secondFactorPage(request: ApiRequest, authentication: Authentication): Promise<PageResponse> {
  const { id, username, isSuperuser } = requireUser(request)
  const user: FactorOwner = { id, username, is_superuser: isSuperuser }
  if (request.method !== 'POST') return await show(request, authentication, user)
  const form = await request.body.form()
  const code = textIn(form, 'code')
  const { address } = request
  if (textIn(form, 'action') === 'begin') return await show(request, authentication, user, { isBegun: true })
  try {
    if ((await factorState(authentication, user)) !== 'set') {
      const codes = await confirmFactor(authentication, user, code.replaceAll(' ', ''), address)
      if (codes) return page(request, 200, recoveryList(codes, request.url.pathname))
      return await show(request, authentication, user, { isBegun: true, refusal: translate('The code is wrong.') })
    }
    await checkFactor(authentication, user, code, address)
  } catch (error) {
    if (!(error instanceof ApiError) || error.reason.kind !== 'forbidden') throw error
    return await show(request, authentication, user, { refusal: error.reason.detail })
  }
  await removeFactor(authentication, id)
  authentication.audit({ event: 'secondFactorRemoved', user: username, address })
  return await show(request, authentication, user)
}

interface FormState {
  readonly isBegun?: boolean
  readonly refusal?: string
}

async function show(
  request: ApiRequest,
  authentication: Authentication,
  user: FactorOwner,
  { isBegun = false, refusal }: FormState = {},
): Promise<FramedPage> {
  const isSet = (await factorState(authentication, user)) === 'set'
  const secret = !isSet && isBegun ? await beginFactor(authentication, user.id) : undefined
  const notice = refusal !== undefined && html`<p class="notice bad" role="alert">${refusal}</p>`
  return page(
    request,
    refusal === undefined ? 200 : 400,
    html`${notice}${isSet ? whenSet(request, user) : secret === undefined ? whenNone(request) : whenBegun(request, user, secret)}`,
  )
}

const page = (request: ApiRequest, status: number, content: Content): FramedPage => ({
  ...accountPage(request, 'second-factor', { status, content }),
  scripts: ['copy.client.ts'],
})

const form = (request: ApiRequest, label: string, fields: Content, action: string): Content =>
  html`<form method="post" action="${request.url.pathname}">${csrfField(request.csrfToken)}
<input type="hidden" name="action" value="${action}">${fields}
<div class="buttons"><button>${label}</button></div></form>`

const whenNone = (request: ApiRequest): Content =>
  html`<p>${translate('With a second factor, logging in with your password also requires a code from an authenticator app on your phone.')}</p>
${form(request, translate('Set up'), '', 'begin')}`

const whenBegun = (request: ApiRequest, { username }: FactorOwner, secret: string): Content =>
  html`${setUpSteps(secret, username)}${form(request, translate('Confirm'), codeField(), 'confirm')}`

function whenSet(request: ApiRequest, user: FactorOwner): Content {
  const required = isRequired(request.service.settings.secondFactorRequired, user)
  return html`<p>${translate('Your second factor is set up.')}</p>
<p>${required ? translate('A second factor is required: if you remove this one, you must set up another at your next login.') : translate('To remove it, enter a code.')}</p>
${form(request, translate('Remove'), codeField(), 'remove')}`
}
