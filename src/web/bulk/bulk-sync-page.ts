import { synchroniseSeveral } from '../../api/actions/synchronise-several.ts'
import { notFound } from '../../base/errors.ts'
import { requirePermission } from '../../identity/permitted-rows.ts'
import type { ModelPage } from '../frame/page-endpoint.ts'
import { seeOther } from '../frame/page-response.ts'
import { isSynchronised } from '../lists/bulk-actions.ts'
import { bulkPage, listAddress, nothingSelected } from './bulk-page.ts'
import { bulkRefusalOf } from './bulk-refusal.ts'
import { bulkSelectionOf } from './selection.ts'

/** POST of `…/sync/`: synchronises the selected objects with their sources, all or none. */
export const bulkSyncPage: ModelPage = async (request, model) => {
  const { service, actor } = request
  requirePermission(actor, 'sync', model, service.settings)
  if (!isSynchronised(model)) throw notFound('page')
  const form = request.method === 'POST' ? await request.body.form() : undefined
  if (!form) return nothingSelected(request, model, { query: request.search.toString() })
  const selection = await bulkSelectionOf(request, model, 'sync', form)
  if (selection.ids.length === 0) return nothingSelected(request, model, selection)
  try {
    await synchroniseSeveral(request, model, selection.ids)
  } catch (error) {
    const refusal = await bulkRefusalOf(request, model, error)
    const parts = { content: undefined, buttons: undefined, refusal }
    return await bulkPage(request, model, {
      ...{ verb: 'Sync', path: 'sync', selection, ...parts },
    })
  }
  return seeOther(listAddress(request, model, selection, ['synced-all', selection.ids.length]))
}
