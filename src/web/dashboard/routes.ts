import type { MenuSection } from '../../schema/menu.ts'
import type { PageRow } from '../frame/page-endpoint.ts'
import { arrangePage } from './arrange-page.ts'
import { dashboardPage } from './dashboard-page.ts'
import { widgetPage } from './widget-page.ts'

/** The start page and the pages on which users arrange it. */
export const dashboardPages = (menu: readonly MenuSection[]): readonly PageRow[] => [
  ['/', 'GET', (request) => dashboardPage(menu, request)],
  ['/dashboard/', 'GET POST', (request) => arrangePage(menu, request)],
  ['/dashboard/widget/', 'GET POST', (request) => widgetPage(menu, request)],
]
