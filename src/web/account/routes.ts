import type { Routes } from '../../api/routes.ts'
import { internalApi } from '../../api/sessions/internal-request.ts'
import type { Authentication } from '../../identity/authenticate.ts'
import type { PageRow } from '../frame/page-endpoint.ts'
import { notificationsPage } from './notifications.ts'
import { ownObjectsPage } from './own-objects.ts'
import { passwordPage } from './password.ts'
import { preferencesPage } from './preferences.ts'
import { profilePage } from './profile.ts'
import { secondFactorPage } from './second-factor-page.ts'
import { tokenPages } from './token-pages.ts'

/** Everything except marks of objects is the same in all branches. */
const SHARED = { isShared: true }

/** The pages of a user's own account. */
export function accountPages(authentication: Authentication, routes: Pick<Routes, 'find'>): readonly PageRow[] {
  const api = internalApi(routes)
  return [
    ['/user/profile/', 'GET POST', profilePage, SHARED],
    ['/user/bookmarks/', 'GET POST', (request) => ownObjectsPage(request, 'bookmarks')],
    ['/user/subscriptions/', 'GET POST', (request) => ownObjectsPage(request, 'subscriptions')],
    ['/user/notifications/', 'GET POST', notificationsPage, SHARED],
    ['/user/preferences/', 'GET POST', (request) => preferencesPage(request, api), SHARED],
    ['/user/password/', 'GET POST', (request) => passwordPage(request, authentication), SHARED],
    ['/user/second-factor/', 'GET POST', (request) => secondFactorPage(request, authentication), SHARED],
    ...tokenPages(api).map(([path, methods, page]): PageRow => [path, methods, page, SHARED]),
  ]
}
