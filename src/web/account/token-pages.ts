import type { ApiRequest } from '../../api/api-request.ts'
import type { HttpResponse } from '../../api/response.ts'
import { ID } from '../../api/routes.ts'
import type { InternalApi } from '../../api/sessions/internal-request.ts'
import type { FormValues } from '../../api/transport/body.ts'
import { ApiError, type Messages } from '../../base/errors.ts'
import { lastValue } from '../../read/query/last-value.ts'
import { textIn } from '../forms/form-texts.ts'
import type { PageRow } from '../frame/page-endpoint.ts'
import type { FramedPage, PageResponse } from '../frame/page-frame.ts'
import { seeOther } from '../frame/page-response.ts'
import type { TokenForm, TokenValues } from './token-form-page.ts'
import { type ShownToken, TOKENS_PATH, tokenPage, tokensPage } from './tokens-page.ts'
import { type UserTokens, userTokens } from './user-tokens.ts'

/** Pages on which users manage their own tokens. */
export function tokenPages(api: InternalApi): readonly PageRow[] {
  const asOwner =
    (get: TokenHandler, post: TokenHandler) =>
    (request: ApiRequest): Promise<PageResponse> =>
      (request.method === 'POST' ? post : get)(request, userTokens(api, request))
  return [
    [TOKENS_PATH, 'GET POST', asOwner((request, ownTokens) => list(request, ownTokens, 200, {}), create)],
    [`${TOKENS_PATH}${ID}/`, 'GET POST', asOwner(show, change)],
    [`${TOKENS_PATH}${ID}/delete/`, 'GET POST', asOwner(backToList, remove)],
  ]
}

type TokenHandler = (request: ApiRequest, ownTokens: UserTokens) => Promise<PageResponse>

interface Outcome {
  readonly values?: TokenValues
  readonly errors?: TokenForm['errors']
  readonly made?: string
}

async function list(
  request: ApiRequest,
  ownTokens: UserTokens,
  status: number,
  { values = NEW_TOKEN, errors = new Map(), made }: Outcome,
): Promise<PageResponse> {
  const { search, service, csrfToken } = request
  const { basePath } = service.settings
  const offset = Number(/^\d{1,9}$/.exec(lastValue(search, 'offset') ?? '')?.[0] ?? 0)
  const { tokens, count, hasNext } = await ownTokens.list(offset)
  const at = (position: number): string => `${basePath}${TOKENS_PATH}?offset=${position}`
  return tokensPage(request, {
    status,
    tokens,
    extent: {
      count,
      offset,
      length: tokens.length,
      previous: offset > 0 ? at(Math.max(0, offset - service.settings.paginateCount)) : undefined,
      next: hasNext ? at(offset + tokens.length) : undefined,
    },
    form: {
      ...{ action: `${basePath}${TOKENS_PATH}`, csrfToken, isNew: true, values, errors },
      servedVersion: service.settings.apiVersion,
    },
    made,
  })
}

async function create(request: ApiRequest, ownTokens: UserTokens): Promise<PageResponse> {
  const values = valuesOf(await request.body.form())
  try {
    const made = await ownTokens.create({ ...bodyOf(values), version: Number(values.version) })
    return await list(request, ownTokens, 201, { made })
  } catch (error) {
    return await list(request, ownTokens, 400, { values, errors: refusals(error) })
  }
}

async function show(request: ApiRequest, ownTokens: UserTokens): Promise<PageResponse> {
  const token = await ownTokens.find(idOf(request))
  return detail(request, 200, token, valuesOfToken(token), new Map())
}

async function change(request: ApiRequest, ownTokens: UserTokens): Promise<PageResponse> {
  const token = await ownTokens.find(idOf(request))
  const values = valuesOf(await request.body.form())
  try {
    await ownTokens.change(idOf(request), bodyOf(values))
    return await backToList(request)
  } catch (error) {
    return detail(request, 400, token, values, refusals(error))
  }
}

async function remove(request: ApiRequest, ownTokens: UserTokens): Promise<HttpResponse> {
  await ownTokens.remove(idOf(request))
  return await backToList(request)
}

function detail(
  request: ApiRequest,
  status: number,
  token: ShownToken,
  values: TokenValues,
  errors: TokenForm['errors'],
): FramedPage {
  const { basePath, apiVersion: servedVersion } = request.service.settings
  const action = `${basePath}${TOKENS_PATH}${token.id}/`
  const form = { action, csrfToken: request.csrfToken, isNew: false, values, errors, servedVersion }
  return tokenPage(request, { status, token, form })
}

/** Validation errors of the API; rethrows other errors. */
function refusals(error: unknown): TokenForm['errors'] {
  if (error instanceof ApiError && error.reason.kind === 'invalid') {
    return errorsByField(error.reason.messages)
  }
  throw error
}

const idOf = ({ parameters: [id = ''] }: ApiRequest): string => id

const backToList = async ({ service }: ApiRequest): Promise<HttpResponse> =>
  seeOther(`${service.settings.basePath}${TOKENS_PATH}`)

/** Initial values of the form for a new token. */
const NEW_TOKEN: TokenValues = {
  description: '',
  expires: '',
  allowedIps: '',
  mayWrite: true,
  isForAgent: false,
  isEnabled: true,
  version: '2',
  apiVersion: '',
}

/** Values that were entered in the form. */
function valuesOf(form: FormValues | undefined): TokenValues {
  return {
    description: textIn(form, 'description'),
    expires: textIn(form, 'expires'),
    allowedIps: textIn(form, 'allowed_ips'),
    mayWrite: textIn(form, 'write_enabled') === 'true',
    isForAgent: textIn(form, 'plans_only') === 'true',
    isEnabled: textIn(form, 'enabled') === 'true',
    version: textIn(form, 'version') === '2' ? '2' : '1',
    apiVersion: textIn(form, 'api_version'),
  }
}

/** Initial values of the form for an existing token. */
const valuesOfToken = (token: ShownToken): TokenValues => ({
  description: token.description,
  expires: token.expires?.slice(0, 16) ?? '',
  allowedIps: token.allowedIps.join('\n'),
  mayWrite: token.mayWrite,
  isForAgent: token.isForAgent,
  isEnabled: token.isEnabled,
  version: token.version === 2 ? '2' : '1',
  apiVersion: token.apiVersion ?? '',
})

/** Browsers may omit seconds, and send no time zone. */
const LOCAL_TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?$/

/** The values as a body for the API. */
const bodyOf = ({ description, expires, allowedIps, mayWrite, isForAgent, isEnabled, apiVersion }: TokenValues) => ({
  description,
  expires: expires === '' ? null : LOCAL_TIMESTAMP.test(expires) ? `${expires}Z` : expires,
  allowed_ips: allowedIps.split(/[\s,]+/).filter((network) => network !== ''),
  write_enabled: mayWrite,
  plans_only: isForAgent,
  enabled: isEnabled,
  api_version: apiVersion === '' ? null : apiVersion,
})

/** Error messages of the API by field. */
function errorsByField(messages: Messages): ReadonlyMap<string, readonly string[]> {
  if (typeof messages === 'string' || Array.isArray(messages)) {
    return new Map([['__all__', textsOf(messages)]])
  }
  return new Map(Object.entries(messages).map(([field, texts]) => [field, textsOf(texts)]))
}

/** Fields that are lists have messages per item. */
function textsOf(messages: Messages): readonly string[] {
  if (typeof messages === 'string') return [messages]
  return [...new Set(Object.values(messages).flatMap(textsOf))]
}
