import type { Endpoint } from '../../api/endpoint.ts'
import type { MenuSection } from '../../schema/menu.ts'
import { pageEndpoint } from '../frame/page-endpoint.ts'
import type { PageFrame } from '../frame/page-frame.ts'
import { arrangePage } from './arrange-page.ts'
import { dashboardPage } from './dashboard-page.ts'
import { widgetPage } from './widget-page.ts'

/** The start page and the pages on which users arrange it, by pattern. */
export const dashboardRoutes = (
  frame: PageFrame,
  menu: readonly MenuSection[],
): ReadonlyMap<string, Endpoint> =>
  new Map([
    ['/', pageEndpoint(frame, 'GET', (request) => dashboardPage(frame, menu, request))],
    [
      '/dashboard/',
      pageEndpoint(frame, 'GET POST', (request) => arrangePage(frame, menu, request)),
    ],
    [
      '/dashboard/widget/',
      pageEndpoint(frame, 'GET POST', (request) => widgetPage(frame, menu, request)),
    ],
  ])
