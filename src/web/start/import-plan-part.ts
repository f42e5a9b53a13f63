import type { ApiRequest } from '../../api/api-request.ts'
import { ID } from '../../api/routes.ts'
import { requireUser } from '../../identity/require-user.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { enqueueAgreed, waitingPlan } from '../../transfer/import-job.ts'
import { requireSuperuser } from '../administration/require-superuser.ts'
import { csrfField } from '../components/csrf-field.ts'
import { panel } from '../components/panel.ts'
import { readOne } from '../data/page-objects.ts'
import type { ObjectPart } from '../frame/object-content.ts'
import type { ModelPage } from '../frame/page-endpoint.ts'
import { seeOther } from '../frame/page-response.ts'
import { html } from '../html.ts'
import { translate } from '../texts/translate.ts'

const PATH = 'import'

/** The plan of an import that waits for a decision, on the page of the job that has made it. */
export const importPlanPart: ObjectPart = {
  models: [SYSTEM.job],
  pages: () => [[`${ID}/${PATH}/`, 'GET POST', agreePage]],
  load: ({ request, object }) => {
    const plan = waitingPlan(object.data)
    const { actor, csrfToken } = request
    if (!plan || actor.kind !== 'user' || !actor.isSuperuser) return {}
    return {
      below: panel(
        translate('Plan'),
        html`<pre class="document" tabindex="0">${plan.lines.join('\n')}</pre>
<p>${translate('Nothing has been written yet. Changes of existing objects can be undone; new objects can only be deleted.')}</p>
<form method="post" action="${jobPath(request, Number(object.id))}${PATH}/">${csrfField(csrfToken)}<button>${translate('Import')}</button></form>`,
      ),
    }
  },
}

const jobPath = ({ service }: ApiRequest, id: number): string =>
  `${service.settings.basePath}${pagePathOf(service.registry.model(SYSTEM.job))}${id}/`

/** POST of `…/<id>/import/`: carries out the plan that the page shows. */
const agreePage: ModelPage = async (request, model) => {
  requireSuperuser(request)
  const { object } = await readOne(request, model)
  const plan = waitingPlan(object.data)
  if (request.method !== 'POST' || !plan) return seeOther(jobPath(request, Number(object.id)))
  return seeOther(jobPath(request, await enqueueAgreed(request.service, requireUser(request), plan)))
}
