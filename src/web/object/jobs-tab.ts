import { requirePermission } from '../../identity/permitted-rows.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { readOne } from '../frame/inner-request.ts'
import { translate } from '../texts/translate.ts'
import { listPart } from './children-tab.ts'
import { objectFrame } from './object-frame.ts'
import type { ModelPage } from './routes.ts'
import { listQueryOf } from './tabs.ts'

/** GET of `…/<id>/jobs/`: the background jobs of the object. */
export const jobsTab: ModelPage = async (frame, request, model) => {
  const { service, actor } = request
  const jobs = service.registry.model(SYSTEM.job)
  requirePermission(actor, 'view', jobs, service.settings)
  const { object } = await readOne(request, model)
  const list = { model: jobs, query: listQueryOf(jobs, 'object', model, object) }
  const label = translate('Jobs')
  const body = await listPart(request, list, label)
  return await objectFrame(frame, request, model, object, { path: 'jobs', label, body })
}
