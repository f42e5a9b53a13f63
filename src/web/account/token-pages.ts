import { STATUS_CODES } from 'node:http'
import { type ApiRequest, lastValue } from '../../api/api-request.ts'
import type { Endpoint, Handler, Method } from '../../api/endpoint.ts'
import { errorResponse } from '../../api/errors.ts'
import type { HttpResponse } from '../../api/response.ts'
import { ID } from '../../api/routes.ts'
import type { InternalApi } from '../../api/sessions/internal-request.ts'
import { ApiError } from '../../errors.ts'
import { requireUser } from '../../identity/require-user.ts'
import { messagePage } from '../frame/error-pages.ts'
import { loginPath, type Viewer } from '../frame/page.ts'
import { inPageLanguage } from '../texts/page-language.ts'
import { personalPage, seeOther } from './page-response.ts'
import { bodyOf, errorsByField, NEW_TOKEN, valuesOf, valuesOfToken } from './token-form.ts'
import type { TokenForm, TokenValues } from './token-form-page.ts'
import { type ShownToken, TOKENS_PATH, tokenPage, tokensPage } from './tokens-page.ts'
import { type UserTokens, userTokens } from './user-tokens.ts'

/** Pages on which users manage their own tokens, by path. */
export function tokenPages(api: InternalApi): ReadonlyMap<string, Endpoint> {
  const endpoint = (methods: Readonly<Partial<Record<Method, TokenHandler>>>): Endpoint => ({
    name: 'API Tokens',
    description: 'Pages on which users manage their own tokens.',
    isOpen: true,
    negotiates: true,
    needsWriter: true,
    methods: Object.fromEntries(
      Object.entries(methods).map(([method, handle]) => [
        method,
        inPageLanguage(signedInOnly(api, handle)),
      ]),
    ),
  })
  return new Map([
    [TOKENS_PATH, endpoint({ GET: (request, own) => list(request, own, 200, {}), POST: create })],
    [`${TOKENS_PATH}${ID}/`, endpoint({ GET: show, POST: change })],
    [`${TOKENS_PATH}${ID}/delete/`, endpoint({ POST: remove })],
  ])
}

type TokenHandler = (request: ApiRequest, own: UserTokens) => Promise<HttpResponse>

/** Redirects users who have not signed in to the login page. */
const signedInOnly =
  (api: InternalApi, handle: TokenHandler): Handler =>
  async (request) => {
    const { basePath } = request.service.settings
    if (request.actor.kind !== 'user') return seeOther(loginPath(basePath, TOKENS_PATH))
    try {
      return await handle(request, userTokens(api, request))
    } catch (error) {
      return refusedPage(basePath, error)
    }
  }

interface Outcome {
  readonly values?: TokenValues
  readonly errors?: TokenForm['errors']
  readonly made?: string
}

async function list(
  request: ApiRequest,
  own: UserTokens,
  status: number,
  { values = NEW_TOKEN, errors = new Map(), made }: Outcome,
): Promise<HttpResponse> {
  const { search, service, csrfToken } = request
  const { basePath } = service.settings
  const offset = Number(/^\d{1,9}$/.exec(lastValue(search, 'offset') ?? '')?.[0] ?? 0)
  const { tokens, count, hasNext } = await own.list(offset)
  const at = (position: number): string => `${basePath}${TOKENS_PATH}?offset=${position}`
  const page = tokensPage({
    basePath,
    viewer: viewerOf(request),
    tokens,
    extent: {
      count,
      offset,
      length: tokens.length,
      previous: offset > 0 ? at(Math.max(0, offset - service.settings.paginateCount)) : undefined,
      next: hasNext ? at(offset + tokens.length) : undefined,
    },
    form: { action: `${basePath}${TOKENS_PATH}`, csrfToken, isNew: true, values, errors },
    made,
  })
  return personalPage(status, page)
}

async function create(request: ApiRequest, own: UserTokens): Promise<HttpResponse> {
  const values = valuesOf(await request.body.form())
  try {
    const made = await own.create({ ...bodyOf(values), version: Number(values.version) })
    return await list(request, own, 201, { made })
  } catch (error) {
    return await list(request, own, 400, { values, errors: refusals(error) })
  }
}

async function show(request: ApiRequest, own: UserTokens): Promise<HttpResponse> {
  const token = await own.find(idOf(request))
  return personalPage(200, detail(request, token, valuesOfToken(token), new Map()))
}

async function change(request: ApiRequest, own: UserTokens): Promise<HttpResponse> {
  const token = await own.find(idOf(request))
  const values = valuesOf(await request.body.form())
  try {
    await own.change(idOf(request), bodyOf(values))
    return backToList(request)
  } catch (error) {
    return personalPage(400, detail(request, token, values, refusals(error)))
  }
}

async function remove(request: ApiRequest, own: UserTokens): Promise<HttpResponse> {
  await own.remove(idOf(request))
  return backToList(request)
}

function detail(
  request: ApiRequest,
  token: ShownToken,
  values: TokenValues,
  errors: TokenForm['errors'],
): string {
  const { basePath } = request.service.settings
  const action = `${basePath}${TOKENS_PATH}${token.id}/`
  const form = { action, csrfToken: request.csrfToken, isNew: false, values, errors }
  return tokenPage({ basePath, viewer: viewerOf(request), token, form })
}

/** Validation errors of the API; throws other errors again. */
function refusals(error: unknown): TokenForm['errors'] {
  if (error instanceof ApiError && error.reason.kind === 'invalid') {
    return errorsByField(error.reason.messages)
  }
  throw error
}

const viewerOf = (request: ApiRequest): Viewer => ({
  username: requireUser(request).username,
  csrfToken: request.csrfToken,
})

const idOf = ({ parameters: [id = ''] }: ApiRequest): string => id

const backToList = ({ service }: ApiRequest): HttpResponse =>
  seeOther(`${service.settings.basePath}${TOKENS_PATH}`)

/** An API error as an HTML page; throws other errors again. */
function refusedPage(basePath: string, error: unknown): HttpResponse {
  const refusal = error instanceof ApiError ? errorResponse(error) : undefined
  if (!(error instanceof ApiError) || !refusal) throw error
  const { status, headers } = refusal
  const page = personalPage(
    status,
    messagePage(basePath, STATUS_CODES[status] ?? '', error.message),
  )
  return { ...page, headers: { ...headers, ...page.headers } }
}
