import type { ApiRequest } from '../../api/api-request.ts'
import { hasHistory } from '../../db/versions/versioned-tables.ts'
import { AS_OF, historyBegins } from '../../read/as-of/past-timestamp.ts'
import type { Model } from '../../schema/registry.ts'
import { mainOf } from '../../service.ts'
import { type TimeForm, timeMenu } from '../components/time-form.ts'
import type { Content } from '../html.ts'

/** Whether the page can be shown at another time: it reads objects of a model with a history. */
export const hasOtherTimes = ({ hasPast, asOf }: ApiRequest, model: Model | undefined): boolean =>
  (hasPast === true || asOf !== undefined) && model !== undefined && hasHistory(model)

/** The choice of another time for the page. */
export async function pageTime(request: ApiRequest, model: Model | undefined): Promise<TimeForm> {
  const { asOf, service, url } = request
  return {
    action: url.pathname,
    query: [...url.searchParams].filter(([name]) => name !== AS_OF && name !== 'page'),
    asOf,
    begins: hasOtherTimes(request, model) ? await historyBegins(mainOf(service).database) : undefined,
  }
}

/**
 * The menu with which a page of the present can be shown at an earlier time; the banner of a page of the past has it.
 * `comparison`: address of the page that compares two times.
 */
export const earlierStateMenu = async (
  request: ApiRequest,
  model: Model,
  comparison: string | undefined,
): Promise<Content> =>
  request.asOf === undefined && hasOtherTimes(request, model) && timeMenu(await pageTime(request, model), comparison)
