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

/** The pages of a user's own account. */
export function accountPages(authentication: Authentication, routes: Pick<Routes, 'find'>): readonly PageRow[] {
  const api = internalApi(routes)
  return [
    ['/user/profile/', 'GET POST', profilePage],
    ['/user/bookmarks/', 'GET POST', (request) => ownObjectsPage(request, 'bookmarks')],
    ['/user/subscriptions/', 'GET POST', (request) => ownObjectsPage(request, 'subscriptions')],
    ['/user/notifications/', 'GET POST', notificationsPage],
    ['/user/preferences/', 'GET POST', (request) => preferencesPage(request, api)],
    ['/user/password/', 'GET POST', (request) => passwordPage(request, authentication)],
    ['/user/second-factor/', 'GET POST', (request) => secondFactorPage(request, authentication)],
    ...tokenPages(api),
  ]
}
