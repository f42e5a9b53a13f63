import type { ApiRequest } from '../../api/api-request.ts'
import { bodyText, type HttpResponse, wholeResponse } from '../../api/response.ts'
import type { FormValues } from '../../api/transport/body.ts'
import { inBackground } from '../../api/verbs/in-background.ts'
import { removeMany } from '../../api/verbs/remove.ts'
import { updateMany } from '../../api/verbs/update.ts'
import { isJsonObject, type Json } from '../../schema/json.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { controlField } from '../components/control.ts'
import { sending } from '../data/inner-request.ts'
import { textIn } from '../forms/form-texts.ts'
import { seeOther } from '../frame/page-response.ts'
import type { Content } from '../html.ts'
import { translate } from '../texts/translate.ts'

/** Selections that are offered as a job. */
const MANY = 100

const NAME = 'background'

/** A check box that hands the work to a background job; nothing for small selections. */
export const backgroundField = (count: number): Content =>
  count >= MANY &&
  controlField(
    {
      name: NAME,
      label: translate('As a background job'),
      help: translate("You do not have to wait: the job's page shows its progress."),
      input: { kind: 'checkbox', isChecked: false },
    },
    'bulk',
  )

/** Whether the form asks for a background job. */
export const asksForJob = (form: FormValues): boolean => textIn(form, NAME) === 'true'

const HANDLERS = { PATCH: inBackground(updateMany), DELETE: inBackground(removeMany) } as const

/**
 * Hands the request to a background job, and redirects to the job's page. Throws as the API's `?background=true` does.
 */
export async function startInBackground(
  request: ApiRequest,
  model: Model,
  method: keyof typeof HANDLERS,
  bodies: readonly unknown[],
): Promise<HttpResponse> {
  const { registry, settings } = request.service
  const inner = {
    ...sending(request, method, bodies),
    search: new URLSearchParams({ background: 'true' }),
  }
  const response = JSON.parse(bodyText(await wholeResponse(await HANDLERS[method](inner, model)))) as Json // produced by this process
  const job = isJsonObject(response) && isJsonObject(response.job) ? Number(response.job.id) : 0
  return seeOther(`${settings.basePath}${pagePathOf(registry.model(SYSTEM.job))}${job}/`)
}
