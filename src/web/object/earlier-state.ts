import type { ApiRequest } from '../../api/api-request.ts'
import { requestAsOf } from '../../api/past-request.ts'
import { ApiError } from '../../base/errors.ts'
import { AS_OF } from '../../read/as-of/past-timestamp.ts'
import { lastValue } from '../../read/query/last-value.ts'
import type { Control } from '../components/control.ts'
import { timeInputValue } from '../components/time-form.ts'
import { asking } from '../data/inner-request.ts'
import { sentenceOf } from '../frame/page-frame.ts'
import { translate } from '../texts/translate.ts'

/** Name of the parameter with the time of the state to compare with. */
const COMPARED_TIME = 'compared_time'

/** The time that the user has entered; empty for none. */
export const comparedTime = ({ search }: ApiRequest): string => lastValue(search, COMPARED_TIME)?.trim() ?? ''

/**
 * The request as of the entered time, or the request itself if none was entered; a sentence if the time cannot be read.
 */
export async function earlierRequest(request: ApiRequest): Promise<ApiRequest | string> {
  const time = comparedTime(request)
  if (time === '') return request
  try {
    return await requestAsOf(asking(request, new URLSearchParams({ [AS_OF]: time })), {})
  } catch (error) {
    if (!(error instanceof ApiError) || error.reason.kind !== 'invalid') throw error
    return sentenceOf(error)
  }
}

/** Choice of the time to compare with. */
export const earlierTimeControl = (request: ApiRequest, earlier: ApiRequest | string): Control => ({
  name: COMPARED_TIME,
  label: translate('Time (UTC)'),
  help: translate('Empty: now.'),
  ...(typeof earlier === 'string' && { errors: [earlier] }),
  input: { kind: 'text', type: 'datetime-local', value: timeInputValue(comparedTime(request)) },
})
