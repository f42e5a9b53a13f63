import type { PageRow } from '../frame/page-endpoint.ts'
import { arrangePage } from './arrange-page.ts'
import { dashboardPage } from './dashboard-page.ts'
import type { Dashboards } from './widget-content.ts'
import { widgetPage } from './widget-page.ts'

/** The start page and the pages on which users arrange it. */
export const dashboardPages = (dashboards: Dashboards): readonly PageRow[] => [
  ['/', 'GET', (request) => dashboardPage(dashboards, request)],
  ['/dashboard/', 'GET POST', (request) => arrangePage(dashboards, request)],
  ['/dashboard/widget/', 'GET POST', (request) => widgetPage(dashboards, request)],
]
