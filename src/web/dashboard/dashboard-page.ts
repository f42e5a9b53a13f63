import type { ApiRequest } from '../../api/api-request.ts'
import { loginPath } from '../frame/page.ts'
import type { PageResponse } from '../frame/page-frame.ts'
import { seeOther } from '../frame/page-response.ts'
import { html } from '../html.ts'
import { firstSteps } from '../start/first-steps.ts'
import { translate, translateMarkup } from '../texts/translate.ts'
import { arrangeLink, dashboardBody } from './dashboard.ts'
import { ownWidgets } from './own-dashboard.ts'
import { type Dashboards, shownWidgets, widgetStyles } from './widget-content.ts'

/**
 * GET /: the widgets of the user's start page; people who may view nothing without signing in are sent to the login
 * page.
 */
export async function dashboardPage({ menu, kinds }: Dashboards, request: ApiRequest): Promise<PageResponse> {
  const { basePath } = request.service.settings
  const isSignedIn = request.actor.kind === 'user'
  const steps = await firstSteps(request)
  const widgets = await shownWidgets(request, await ownWidgets(request, menu), { kinds, arranging: false })
  if (!isSignedIn && !hasObjects(widgets)) return seeOther(loginPath(basePath, '/'))
  const nothing = html`<p class="notice">${translateMarkup(
    'There are no objects yet that you may view. Start with a site: {add} or {import}.',
    {
      add: html`<a href="${basePath}/dcim/sites/add/">${translate('add one')}</a>`,
      import: html`<a href="${basePath}/dcim/sites/import/">${translate('import a list')}</a>`,
    },
  )}</p>`
  return {
    title: translate('Home'),
    styles: [...widgetStyles(kinds), 'start.css'],
    body: html`<div class="heading"><h1>${translate(isSignedIn ? 'Home' : 'The record of your network')}</h1>${isSignedIn && arrangeLink(basePath)}</div>
${steps ?? (!hasObjects(widgets) && nothing)}${dashboardBody(widgets)}`,
  }
}

/** Bookmarks and lists of what needs the user need no objects that the user may view. */
const hasObjects = (widgets: readonly { readonly kind: string }[]): boolean =>
  widgets.some(({ kind }) => kind !== 'extras.BookmarksWidget' && kind !== 'cadastre.AttentionWidget')
