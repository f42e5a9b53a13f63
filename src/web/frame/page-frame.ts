import { STATUS_CODES } from 'node:http'
import type { ApiRequest } from '../../api/api-request.ts'
import type { Handler } from '../../api/endpoint.ts'
import { errorResponse } from '../../api/errors.ts'
import type { HttpResponse } from '../../api/response.ts'
import { ApiError } from '../../base/errors.ts'
import type { User } from '../../identity/actor.ts'
import { rowSecurityOf } from '../../identity/permitted-rows.ts'
import { restrictToOwn } from '../../identity/restrict-to-own.ts'
import { AS_OF, BeforeHistory } from '../../read/as-of/past-timestamp.ts'
import { cachedNumbers } from '../../read/query/cached-column.ts'
import { applyRowSecurity } from '../../read/query/row-security.ts'
import { className } from '../../schema/class-name.ts'
import type { MenuSection } from '../../schema/menu.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { mainOf, type Service } from '../../service.ts'
import { empty, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { shownNoun, shownPluralNoun } from '../components/model-title.ts'
import { pastBanner, withTime } from '../components/time-form.ts'
import { timestampDisplay } from '../components/value.ts'
import { type Content, html } from '../html.ts'
import { type Text, translate, translateMarkup } from '../texts/translate.ts'
import { branchLine, branchMenu, withBranch } from './branch-menu.ts'
import { layout } from './layout.ts'
import { createMenuSubjects } from './menu-subjects.ts'
import { type Crumb, loginPath, type Page, SESSION_ENDED, viewerOf } from './page.ts'
import { personalPage, seeOther } from './page-response.ts'
import { hasOtherTimes, pageTime } from './page-time.ts'
import { savedNotice } from './saved-notice.ts'

/** A page within the frame that all pages share. */
export interface FramedPage extends Pick<Page, 'title' | 'styles' | 'scripts' | 'body'> {
  readonly breadcrumbs?: readonly Crumb[]
  /** The model of the objects that the page is about. */
  readonly model?: Model
  readonly status?: number
}

/** The result of a page's handler: its content, or another response such as a redirect. */
export type PageResponse = FramedPage | HttpResponse

/** The frame of all pages: bar, menu, breadcrumbs. */
export type PageFrame = (request: ApiRequest, page: FramedPage) => Promise<HttpResponse>

/** The frame with this menu. */
export function createFrame(menu: readonly MenuSection[]): PageFrame {
  const subjectsFor = createMenuSubjects(menu)
  return async (request, { model, status = 200, ...page }) => {
    const { actor, csrfToken, service, url, asOf, branches } = request
    const { basePath } = service.settings
    const notice = request.method === 'GET' && (await savedNotice(request, model))
    const body = layout(
      {
        ...page,
        ...(hasOtherTimes(request, model) && { scripts: [...(page.scripts ?? []), 'time-slider.client.ts' as const] }),
        body: html`${asOf !== undefined && pastBanner(await pageTime(request, model))}${notice}${page.body}`,
        basePath,
        address: `${url.pathname.slice(basePath.length)}${url.search}`,
        viewer: actor.kind === 'user' ? viewerOf(actor, csrfToken) : undefined,
        menu: await subjectsFor(request, model),
        branchMenu: branchMenu(request),
        branchLine: await branchLine(request),
        branch: service.branch && branches?.chosen?.schemaId,
        ...(actor.kind === 'user' && { unread: await unreadOf(mainOf(service), actor) }),
      },
      request,
    )
    const inTime = asOf === undefined ? body : withTime(body, basePath, asOf)
    return personalPage(
      status,
      branches?.chosen && service.branch ? withBranch(inTime, basePath, branches.chosen.schemaId) : inTime,
    )
  }
}

/** Number of a user's unread notifications; those of one request count once. */
async function unreadOf(service: Service, user: User): Promise<number> {
  const { registry, settings } = service
  // Users who may not view users would find no notification by its user: theirs are selected by the permission.
  const reader = user.isSuperuser ? user : restrictToOwn(user, SYSTEM.notification, registry)
  const isOwn = user.isSuperuser ? sql`t.user_id = ${user.id}::bigint and ` : empty
  const statement = sql`
    select count(distinct coalesce(t.request::text, t.id::text)) from ${table(SYSTEM.notification)} t
    where ${isOwn}t.read is null`
  const security = rowSecurityOf(reader, registry, settings)
  const [count = 0] = await cachedNumbers(service, applyRowSecurity(security, statement))
  return Number(count)
}

/** A handler whose refusals are pages. Without a login, senders are redirected to the login page instead. */
export const framed =
  (frame: PageFrame, handler: Handler): Handler =>
  async (request) => {
    try {
      return await handler(request)
    } catch (error) {
      return await refusalPage(frame, request, error)
    }
  }

/** A refusal as a page; other errors are thrown. */
export async function refusalPage(frame: PageFrame, request: ApiRequest, error: unknown): Promise<HttpResponse> {
  const refusal = error instanceof ApiError ? errorResponse(error) : undefined
  if (!(error instanceof ApiError) || !refusal) throw error
  const { basePath } = request.service.settings
  const { kind } = error.reason
  if (request.actor.kind === 'anonymous' && (kind === 'forbidden' || kind === 'unauthenticated')) {
    const login = loginPath(basePath, `${request.url.pathname.slice(basePath.length)}${request.url.search}`)
    return seeOther(request.method === 'POST' ? `${login}&${SESSION_ENDED}` : login)
  }
  if (error instanceof BeforeHistory) return await tooEarlyPage(frame, request, error.begins)
  const { status } = refusal
  const standardTitle = TITLES[status]
  const title = standardTitle ? translate(standardTitle) : (STATUS_CODES[status] ?? 'Error')
  return await frame(request, {
    title,
    status,
    body: messageOf(title, plainSentence(request, error), basePath),
  })
}

/** The requested time is before the history begins: links to its beginning, and to the present page. */
async function tooEarlyPage(frame: PageFrame, request: ApiRequest, begins: string): Promise<HttpResponse> {
  const { url } = request
  const title = translate('There is no history for this time')
  const query = new URLSearchParams(url.search)
  query.delete(AS_OF)
  const now = query.size === 0 ? url.pathname : `${url.pathname}?${query.toString()}`
  query.set(AS_OF, begins)
  return await frame(request, {
    title,
    status: 400,
    body: html`<h1>${title}</h1><p>${translateMarkup('The history begins at {time}.', {
      time: timestampDisplay(begins),
    })}</p>
<p><a class="button" href="${url.pathname}?${query.toString()}">${translate('Show this time')}</a> <a class="button quiet" href="${now}">${translate('Back to now')}</a></p>`,
  })
}

const TITLES: Readonly<Record<number, Text>> = {
  400: 'This page cannot be shown',
  403: 'You do not have access to this page',
  404: 'Page not found',
}

/** The content of a page with a single message. */
export const messageOf = (title: string, sentence: string, basePath: string): Content =>
  html`<h1>${title}</h1><p>${sentence}</p><p><a href="${basePath}/">${translate('Start page')}</a></p>`

/** Why the page is refused, in words of the page: which permission or which object is missing. */
function plainSentence({ service: { registry }, url }: ApiRequest, error: ApiError): string {
  const { reason } = error
  const missing = reason.kind === 'forbidden' ? reason.missing : undefined
  const forbidden = registry.models.get(missing?.model ?? '')
  if (missing && forbidden) {
    const objects = shownPluralNoun(forbidden)
    const { action } = missing
    return translate('Ask an administrator for the permission “{action}” on {objects}.', { action, objects })
  }
  const [, id] = /\/(\d+)\/(?:[\w-]+\/)*$/.exec(url.pathname) ?? []
  const noun = /^No (.+) matches the given query\.$/.exec(error.message)?.[1]
  const model = [...registry.models.values()].find(
    (candidate) => noun === className(candidate) || noun === candidate.definition.labels[0],
  )
  if (reason.kind === 'notFound' && model && id !== undefined) {
    return translate('There is no {model} {id}. It may have been deleted, or you may not view it.', {
      model: shownNoun(model),
      id,
    })
  }
  return sentenceOf(error)
}

/** The messages of a refusal as one text. */
export function sentenceOf(error: ApiError): string {
  const { reason } = error
  if (reason.kind !== 'invalid') return error.message
  return [...messagesIn(reason.messages)].join(' ')
}

/** Runs a write, and returns the sentence with which it is refused; undefined if it succeeds. */
export async function refusalOf(write: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await write()
    return undefined
  } catch (error) {
    if (!(error instanceof ApiError) || !['invalid', 'inUse'].includes(error.reason.kind)) throw error
    return sentenceOf(error)
  }
}

function* messagesIn(value: unknown): Iterable<string> {
  if (typeof value === 'string') yield value
  else if (value !== null && typeof value === 'object') {
    for (const message of Object.values(value)) yield* messagesIn(message)
  }
}
