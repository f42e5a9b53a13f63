import { bulkComponentsPage } from '../bulk/bulk-components-page.ts'
import { bulkDeletePage } from '../bulk/bulk-delete-page.ts'
import { bulkDisconnectPage } from '../bulk/bulk-disconnect-page.ts'
import { bulkEditPage } from '../bulk/bulk-edit-page.ts'
import { bulkRenamePage } from '../bulk/bulk-rename-page.ts'
import { bulkSyncPage } from '../bulk/bulk-sync-page.ts'
import type { ModelPageRow } from '../frame/page-endpoint.ts'
import { columnPage } from './column-page.ts'
import { favoritePage } from './favorite-page.ts'
import { SAVE_GROUP, SAVE_VIEW, saveGroupPage, saveViewPage } from './save-list-page.ts'
import { savedFiltersPage } from './saved-filter-page.ts'

/** The pages of a list besides itself: path below that of the list, methods, handler. */
export const LIST_PAGES: readonly ModelPageRow[] = [
  ['columns/', 'GET POST', columnPage],
  ['filters/', 'GET POST', savedFiltersPage],
  [SAVE_VIEW, 'GET POST', saveViewPage],
  [SAVE_GROUP, 'GET POST', saveGroupPage],
  ['favorite/', 'GET POST', favoritePage],
  ['edit/', 'GET POST', bulkEditPage],
  ['rename/', 'GET POST', bulkRenamePage],
  ['delete/', 'GET POST', bulkDeletePage],
  ['components/', 'GET POST', bulkComponentsPage],
  ['disconnect/', 'GET POST', bulkDisconnectPage],
  ['sync/', 'GET POST', bulkSyncPage],
]
