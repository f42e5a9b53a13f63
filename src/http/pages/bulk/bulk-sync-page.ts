import { requirePermission } from '../../../auth/permitted-rows.ts'
import { ApiError, notFound } from '../../../errors.ts'
import { translate } from '../../../texts/translate.ts'
import { seeOther } from '../../sessions/page-answer.ts'
import { type ApiRoutes, askApi } from '../object/ask-api.ts'
import type { ModelPage } from '../object/routes.ts'
import { isSynchronised } from './bulk-actions.ts'
import { bulkPage, listAddress, nothingSelected } from './bulk-page.ts'
import { type BulkRefusal, bulkRefusalOf } from './bulk-refusal.ts'
import { bulkSelectionOf } from './selection.ts'

/** POST of `…/sync/`: synchronises the selected objects with their sources, one after the other, until one is refused. */
export const bulkSyncPage =
  (routes: ApiRoutes): ModelPage =>
  async (frame, request, model) => {
    const { service, actor } = request
    requirePermission(actor, 'sync', model, service.settings)
    if (!isSynchronised(model)) throw notFound('page')
    const form = request.method === 'POST' ? await request.body.form() : undefined
    if (!form) return nothingSelected(request, model, { query: request.search.toString() })
    const selection = await bulkSelectionOf(request, model, 'sync', form)
    if (selection.ids.length === 0) return nothingSelected(request, model, selection)
    let refusal: BulkRefusal | undefined
    for (const [done, id] of selection.ids.entries()) {
      try {
        const path = `${model.path}/${id}/sync/`
        await askApi(routes, request, { path, method: 'POST', body: {} })
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        const { status, sentences } = await bulkRefusalOf(request, model, error)
        const before = translate('{count} of the selected objects were synchronised before.', {
          count: done,
        })
        refusal = { status, sentences: [...sentences, before] }
        break
      }
    }
    if (!refusal) return seeOther(listAddress(request, model, selection, 'done'))
    const content = undefined
    return await bulkPage(frame, request, model, {
      ...{ verb: 'Sync', path: 'sync', selection, content, buttons: undefined, refusal },
    })
  }
