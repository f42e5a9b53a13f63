import { invalid } from '../base/errors.ts'
import { hasHistory } from '../db/versions/versioned-tables.ts'
import { pastService } from '../read/as-of/past-service.ts'
import { AS_OF, readPastTimestamp } from '../read/as-of/past-timestamp.ts'
import { lastValue } from '../read/query/last-value.ts'
import type { ApiRequest } from './api-request.ts'
import { type Endpoint, isReading, type Operation } from './endpoint.ts'

/**
 * The request at the time in its parameter `as_of`: its handler reads past rows. Without the parameter, the request
 * itself. Throws `invalid` for methods that write, for models without history, and as `readPastTimestamp` does.
 */
export async function requestAsOf(
  request: ApiRequest,
  endpoint: Pick<Endpoint, 'model' | 'hasNoHistory'>,
  operation?: Operation,
): Promise<ApiRequest> {
  const asOf = lastValue(request.search, AS_OF)
  if (asOf === undefined || asOf === '' || request.method === 'OPTIONS') return request
  if (!isReading(operation, request.method)) {
    throw invalid({ [AS_OF]: ['Nothing can be changed in the past.'] })
  }
  if (endpoint.model && !hasHistory(endpoint.model)) {
    const [, plural] = endpoint.model.definition.labels
    throw invalid({ [AS_OF]: [`Past versions of ${plural} are not stored.`] })
  }
  if (endpoint.hasNoHistory) {
    throw invalid({ [AS_OF]: ['Past versions of this data are not stored.'] })
  }
  const timestamp = await readPastTimestamp(request.service, asOf)
  const search = new URLSearchParams(request.search)
  search.delete(AS_OF)
  return { ...request, service: pastService(request.service, timestamp), search }
}
