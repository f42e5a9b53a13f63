import type { ApiRequest, PageBranches } from '../../api/api-request.ts'
import { BRANCH_HEADER, requestInBranch } from '../../api/branch-request.ts'
import type { Endpoint, Handler } from '../../api/endpoint.ts'
import type { HttpResponse } from '../../api/response.ts'
import { readCookie, setCookie } from '../../api/sessions/cookies.ts'
import { localPath } from '../../api/sessions/local-path.ts'
import { isSafe } from '../../api/transport/safe-methods.ts'
import { ApiError, invalid } from '../../base/errors.ts'
import { openBranches } from '../../changes/branches/open-branches.ts'
import { actorInBranch } from '../../identity/permitted-rows.ts'
import { AS_OF } from '../../read/as-of/past-timestamp.ts'
import {
  BRANCH_PARAMETER,
  type Branch,
  branchIn,
  branchService,
  findBranch,
  PLUGIN_PARAMETER,
  withoutBranch,
} from '../../read/branches/branch-service.ts'
import { lastValue } from '../../read/query/last-value.ts'
import { sql } from '../../sql/fragment.ts'
import { textIn } from '../forms/form-texts.ts'
import { translate } from '../texts/translate.ts'
import { seeOther } from './page-response.ts'

/** Cookie that stores the branch that a browser shows: its `schema_id`. API requests ignore it. */
const COOKIE = 'branch'

/**
 * Field in the forms of a page in a branch: they write to that branch, even if the user has chosen another one in
 * another window.
 */
export const BRANCH_FIELD = PLUGIN_PARAMETER

/** The cookie that selects the branch; without a name, main. */
export const choiceCookie = (request: ApiRequest, schemaId = ''): string =>
  setCookie(request, COOKIE, schemaId, { httpOnly: true, ...(schemaId === '' && { maxAge: 0 }) })

/**
 * The handler of a page in the branch that its form, its script or the browser's cookie names. `isShared`: the page is
 * about data that branches share, and reads and writes main. `refuse` turns an error into a page.
 */
export const inChosenBranch =
  (
    isShared: boolean,
    handler: Handler,
    refuse: (request: ApiRequest, error: ApiError) => Promise<HttpResponse>,
  ): Handler =>
  async (request) => {
    const { service, actor } = request
    // Tokens that are bound to a branch cannot use another one.
    if (actor.kind === 'user' && actor.branchId !== undefined) return await handler(await requestInBranch(request))
    const open = await openBranches(service, actor)
    // Tokens and change requests have a field named `branch`, which their lists and forms take from the URL.
    if (!isShared && branchIn(request.search) !== undefined && isSafe(request.method))
      return switched(request, open, refuse)
    const requested = await requestedBranch(request)
    if (requested === undefined || requested === '') return await handler({ ...request, branches: { open } })
    const chosen = open.find(({ schemaId }) => schemaId === requested)
    if (chosen) {
      const branches = { open, chosen }
      if (isShared) return await handler({ ...request, branches })
      const inBranch = {
        ...request,
        branches,
        service: branchService(service, chosen),
        actor: actorInBranch(actor),
      }
      if (!lastValue(request.search, AS_OF)) return await handler(inBranch)
      return await refuse(inBranch, invalid({ [AS_OF]: [translate('Past states of a branch are not stored.')] }))
    }
    return await showMain(request, { open, notice: await whyClosed(request, requested) }, async (main) => {
      if (isShared || isSafe(request.method)) return await handler(main)
      const detail = `${main.branches.notice} ${translate('Not saved.')}`
      return await refuse(main, new ApiError({ kind: 'exhausted', detail }))
    })
  }

/** The branch that a form, a script or a cookie names, in this order. */
async function requestedBranch(request: ApiRequest): Promise<string | undefined> {
  const form = isSafe(request.method) ? undefined : await request.body.form()
  const field = form?.get(BRANCH_FIELD)?.at(-1)
  return typeof field === 'string' ? field : (request.headers[BRANCH_HEADER] ?? readCookie(request, COOKIE))
}

/** Handles a URL with `?branch=`: stores the branch of this name or `schema_id`, then redirects to the page itself. */
async function switched(
  request: ApiRequest,
  open: readonly Branch[],
  refuse: (request: ApiRequest, error: ApiError) => Promise<HttpResponse>,
): Promise<HttpResponse> {
  const { url, search } = request
  const requested = branchIn(search) ?? ''
  const branch = open.find(({ schemaId }) => schemaId === requested) ?? open.find(({ name }) => name === requested)
  if (requested !== '' && !branch) {
    const sentence = translate('There is no open branch “{name}”.', { name: requested })
    return await refuse({ ...request, branches: { open } }, invalid({ [BRANCH_PARAMETER]: [sentence] }))
  }
  const parameters = withoutBranch(search)
  const location = parameters.size === 0 ? url.pathname : `${url.pathname}?${parameters}`
  return seeOther(location, [choiceCookie(request, branch?.schemaId)])
}

/**
 * The response of main, which also drops the choice: only after a page has reported it, and not for requests of
 * scripts.
 */
async function showMain(
  request: ApiRequest,
  branches: PageBranches,
  work: (main: ApiRequest & { readonly branches: PageBranches }) => Promise<HttpResponse>,
): Promise<HttpResponse> {
  const response = await work({ ...request, branches })
  const isRead = (request.headers['sec-fetch-dest'] ?? 'document') === 'document'
  return isRead && response.status !== 303
    ? { ...response, cookies: [...(response.cookies ?? []), choiceCookie(request)] }
    : response
}

/** Why the branch is not open to the sender. */
async function whyClosed({ service, actor }: ApiRequest, schemaId: string): Promise<string> {
  const branch = await findBranch(service, sql`t.schema_id = ${schemaId}`)
  const isKnown = branch !== undefined && actor.kind === 'user'
  if (isKnown && branch.status === 'merged') return translate('The branch has been merged, so you see main again.')
  if (isKnown && branch.status === 'archived') return translate('The branch has been archived, so you see main again.')
  return translate('The branch that you chose no longer exists, so you see main again.')
}

/** POST /user/branch/: stores the branch in the browser, and redirects back. */
export const chooseBranch: Endpoint = {
  name: 'Branch',
  description: 'Chooses the branch that the pages show in this browser.',
  access: 'open',
  kind: 'other',
  methods: {
    POST: {
      handle: async (request) => {
        const form = await request.body.form()
        const { url, service } = request
        return seeOther(localPath(textIn(form, 'next'), url, service.settings.basePath), [
          choiceCookie(request, textIn(form, BRANCH_PARAMETER)),
        ])
      },
      isReading: true,
      takesReadingTokens: true,
    },
  },
}
