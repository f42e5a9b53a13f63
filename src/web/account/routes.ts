import type { Endpoint } from '../../api/endpoint.ts'
import type { Routes } from '../../api/routes.ts'
import { internalApi } from '../../api/sessions/internal-request.ts'
import type { Authentication } from '../../identity/authenticate.ts'
import { pageEndpoint } from '../frame/page-endpoint.ts'
import type { PageFrame } from '../frame/page-frame.ts'
import { notificationsPage } from './notifications.ts'
import { ownObjectsPage } from './own-objects.ts'
import { passwordPage } from './password.ts'
import { chooseTheme, preferencesPage } from './preferences.ts'
import { profilePage } from './profile.ts'

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
