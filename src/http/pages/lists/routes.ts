import type { ModelPageRow } from '../object/routes.ts'
import { columnPage } from './column-page.ts'
import { savedFiltersPage } from './saved-filter-page.ts'

/** The pages of a list beside itself: address below that of the list, methods, what makes it. */
export const listPages: readonly ModelPageRow[] = [
  ['columns/', 'GET POST', columnPage],
  ['filters/', 'GET POST', savedFiltersPage],
]
