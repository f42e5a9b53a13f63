import type { Authentication } from '../../../auth/authenticate.ts'
import type { Endpoint } from '../../endpoint.ts'
import type { Routes } from '../../routes.ts'
import { internalApi } from '../../sessions/internal-request.ts'
import { pageEndpoint } from '../page-endpoint.ts'
import type { PageFrame } from '../page-frame.ts'
import { notificationsPage } from './notifications.ts'
import { ownObjectsPage } from './own-objects.ts'
import { passwordPage } from './password.ts'
import { preferencesPage } from './preferences.ts'
import { profilePage } from './profile.ts'
import { chooseTheme } from './theme.ts'

/** The pages of a user's own account, by pattern. */
export function accountRoutes(
  frame: PageFrame,
  authentication: Authentication,
  routes: Pick<Routes, 'find'>,
): ReadonlyMap<string, Endpoint> {
  const api = internalApi(routes)
  return new Map([
    ['/user/profile/', pageEndpoint(frame, 'GET POST', (request) => profilePage(frame, request))],
    [
      '/user/bookmarks/',
      pageEndpoint(frame, 'GET POST', (request) => ownObjectsPage(frame, request, 'bookmarks')),
    ],
    [
      '/user/subscriptions/',
      pageEndpoint(frame, 'GET POST', (request) => ownObjectsPage(frame, request, 'subscriptions')),
    ],
    [
      '/user/notifications/',
      pageEndpoint(frame, 'GET POST', (request) => notificationsPage(frame, request)),
    ],
    [
      '/user/preferences/',
      pageEndpoint(frame, 'GET POST', (request) => preferencesPage(frame, request, api)),
    ],
    [
      '/user/password/',
      pageEndpoint(frame, 'GET POST', (request) => passwordPage(frame, request, authentication)),
    ],
    ['/user/theme/', chooseTheme],
  ])
}
