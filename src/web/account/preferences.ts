import type { ApiRequest } from '../../api/api-request.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import { setCookie } from '../../api/sessions/cookies.ts'
import type { InternalApi } from '../../api/sessions/internal-request.ts'
import { localPath } from '../../api/sessions/local-path.ts'
import { requireUser } from '../../identity/require-user.ts'
import { isJsonObject } from '../../schema/json.ts'
import { editForm } from '../forms/edit-form.ts'
import { textIn } from '../forms/form-texts.ts'
import type { PageResponse } from '../frame/page-frame.ts'
import { seeOther } from '../frame/page-response.ts'
import { displayChoice } from '../frame/theme.ts'
import { html } from '../html.ts'
import { LANGUAGES, languageNamed } from '../texts/language.ts'
import { translate } from '../texts/translate.ts'
import { accountPage } from './account-page.ts'

const PATH = '/api/users/config/'
const SIZES = ['25', '50', '100', '250', '500', '1000']

/** GET and POST of the user's preferences, which clients of the API read and write as `users/config`. */
export async function preferencesPage(request: ApiRequest, api: InternalApi): Promise<PageResponse> {
  requireUser(request)
  const { basePath, paginateCount } = request.service.settings
  if (request.method === 'POST') {
    const form = await request.body.form()
    const size = Number(form?.get('per_page')?.at(-1))
    const body = {
      pagination: { per_page: Number.isSafeInteger(size) && size > 0 ? size : null },
      locale: { language: languageNamed(form?.get('language')?.at(-1)) ?? null },
    }
    await api(request, { method: 'PATCH', path: PATH, body })
    return seeOther(`${basePath}/user/preferences/`)
  }
  const stored = await api(request, { method: 'GET', path: PATH })
  const size = isJsonObject(stored) && isJsonObject(stored.pagination) ? stored.pagination.per_page : null
  const locale = isJsonObject(stored) && isJsonObject(stored.locale) ? stored.locale : {}
  const content = html`${editForm({
    action: request.url.pathname,
    csrfToken: request.csrfToken,
    groups: [
      {
        label: translate('Lists'),
        controls: [
          {
            name: 'per_page',
            label: translate('Objects per page'),
            input: {
              kind: 'select',
              options: SIZES.map((value) => ({ value, label: value })),
              chosen: [String(size ?? '')],
              empty: translate('Default ({count})', { count: paginateCount }),
            },
          },
        ],
      },
      {
        label: translate('Language'),
        controls: [
          {
            name: 'language',
            label: translate('Language'),
            input: {
              kind: 'select',
              options: Object.entries(LANGUAGES).map(([value, label]) => ({ value, label })),
              chosen: [languageNamed(locale.language) ?? ''],
              empty: translate('Same as the browser'),
            },
          },
        ],
      },
    ],
    messages: undefined,
    submit: translate('Save'),
    cancel: `${basePath}/user/profile/`,
  })}`
  return { ...accountPage(request, 'preferences', { content }), scripts: ['edit-form.client.ts'] }
}

/** Seconds for which a browser keeps the choices: a year. */
const KEPT_FOR = 31_536_000

/** POST /user/theme/: stores the colours and the height of rows in the browser and redirects back. */
export const chooseTheme: Endpoint = {
  name: 'Theme',
  description: 'Chooses the colours and the density of the pages for this browser.',
  access: 'open',
  kind: 'other',
  methods: {
    POST: {
      handle: async (request) => {
        const form = await request.body.form()
        const { url, service } = request
        const cookies = (['theme', 'density'] as const)
          .filter((name) => form?.has(name))
          .map((name) => setCookie(request, name, displayChoice(name, textIn(form, name)), { maxAge: KEPT_FOR }))
        return seeOther(localPath(textIn(form, 'next'), url, service.settings.basePath), cookies)
      },
      isReading: true,
      takesReadingTokens: true,
    },
  },
}
