import type { ApiRequest } from '../../api/api-request.ts'
import { sessionCookies } from '../../api/sessions/cookies.ts'
import { update } from '../../api/verbs/update.ts'
import { ApiError, invalid, type Messages } from '../../base/errors.ts'
import type { User } from '../../identity/actor.ts'
import type { Authentication } from '../../identity/authenticate.ts'
import { grantKey } from '../../identity/grants.ts'
import { requireUser } from '../../identity/require-user.ts'
import { startSession } from '../../identity/session.ts'
import { verifyPassword } from '../../identity/sign-in.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Control } from '../components/control.ts'
import { sending } from '../data/inner-request.ts'
import { editForm } from '../forms/edit-form.ts'
import { textIn } from '../forms/form-texts.ts'
import type { FramedPage, PageResponse } from '../frame/page-frame.ts'
import { seeOther } from '../frame/page-response.ts'
import { withEffect } from '../frame/saved-notice.ts'
import { type Content, html } from '../html.ts'
import { translate } from '../texts/translate.ts'
import { accountPage } from './account-page.ts'
import { sessionOrigin } from './complete-login.ts'

/**
 * GET and POST of the form for a new password. The old password is required; all other sessions end, because they are
 * bound to the old password.
 */
export async function passwordPage(request: ApiRequest, authentication: Authentication): Promise<PageResponse> {
  const user = requireUser(request)
  if (request.method !== 'POST') return formPage(request, undefined)
  const form = await request.body.form()
  try {
    if (textIn(form, 'new') !== textIn(form, 'repeated')) {
      throw invalid({ repeated: [translate('The two passwords are not the same.')] })
    }
    await checkOld(authentication, request, user, textIn(form, 'old'))
    await change(request, user, textIn(form, 'new'))
  } catch (error) {
    if (!(error instanceof ApiError) || error.reason.kind !== 'invalid') throw error
    return formPage(request, namedAsInForm(error.reason.messages))
  }
  const { service } = request
  const key = await startSession(service, user.id, sessionOrigin(request))
  const profile = withEffect(`${service.settings.basePath}/user/profile/`, 'password')
  return seeOther(profile, sessionCookies(request, key))
}

/** Throws `invalid` for a wrong password, `throttled` after too many. */
async function checkOld(
  authentication: Authentication,
  { address, id: requestId }: ApiRequest,
  { username }: User,
  password: string,
): Promise<void> {
  try {
    await verifyPassword(authentication, { username, password, address, requestId })
  } catch (error) {
    if (!(error instanceof ApiError) || error.reason.kind !== 'forbidden') throw error
    throw invalid({ old: [translate('This is not your password.')] })
  }
}

/** Writes the password as the API does, with its rules and its change record. */
async function change(request: ApiRequest, user: User, password: string): Promise<void> {
  const model = request.service.registry.model(SYSTEM.user)
  // Everybody may change their own password, whatever other permissions they have.
  const grants = new Map([[grantKey('change', model.name), [{ id: user.id }]]])
  const actor: User = { ...user, isSuperuser: false, grants }
  const ownRequest = { ...sending(request, 'PATCH', { password }), actor, parameters: [String(user.id)] }
  await update(ownRequest, model)
}

/** The rules name the field of the model, whose name in the form is different. */
function namedAsInForm(messages: Messages): Messages {
  if (typeof messages !== 'object' || !('password' in messages)) return messages
  const { password, ...otherMessages } = messages
  return { ...otherMessages, new: password }
}

const controls = (): readonly Control[] =>
  (
    [
      ['old', 'Current password'],
      ['new', 'New password'],
      ['repeated', 'New password again'],
    ] as const
  ).map(([name, label]) => ({
    name,
    label: translate(label),
    isRequired: true,
    input: { kind: 'text', type: 'password', value: '' },
  }))

const rulesList = (rules: readonly string[]): Content =>
  rules.length > 0 &&
  html`<p>${translate('A new password:')}</p><ul>${rules.map((rule) => html`<li>${rule}</li>`)}</ul>`

/** The configured requirements for a new password, as sentences. */
function passwordRules({ service }: ApiRequest): readonly string[] {
  const policy = service.settings.authPasswordValidators
  const rules = [
    policy.shortest > 1 && translate('At least {count} characters', { count: policy.shortest }),
    policy.needsMixture && translate('At least one capital letter, one small letter and one digit'),
    policy.refusesNumeric && !policy.needsMixture && translate('Not only digits'),
    policy.refusesSimilar && translate('Without your name or e-mail address'),
    policy.refusesCommon && translate('Not a common password'),
  ]
  return rules.filter((rule) => rule !== false)
}

const formPage = (request: ApiRequest, messages: Messages | undefined): FramedPage =>
  accountPage(request, 'password', {
    status: messages === undefined ? 200 : 400,
    content: html`<p class="muted">${translate('All your other sessions will end. Your tokens stay valid.')}</p>
${rulesList(passwordRules(request))}
${editForm({
  action: request.url.pathname,
  csrfToken: request.csrfToken,
  groups: [{ label: '', controls: controls() }],
  messages,
  submit: translate('Change password'),
  cancel: `${request.service.settings.basePath}/user/profile/`,
})}`,
  })
