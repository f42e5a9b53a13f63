import { invalid } from '../errors.ts'
import { AS_OF } from '../read/as-of/past-timestamp.ts'
import { BRANCH_PARAMETER, branchService, openBranch } from '../read/branches/branch-service.ts'
import { type ApiRequest, lastValue } from './api-request.ts'

/** Header that names a branch by its `schema_id`, or by its name. */
const HEADER = 'x-netbox-branch'

/**
 * The request in the branch that its parameter, its header or its token names: its handler reads and writes the branch. Without one the request
 * itself. Throws `invalid` for a branch that is not there or not open, and together with `as_of`.
 */
export async function requestInBranch(request: ApiRequest): Promise<ApiRequest> {
  const named = lastValue(request.search, BRANCH_PARAMETER) ?? request.headers[HEADER]
  const wanted = named === undefined || named === '' ? undefined : named
  if (wanted === undefined) return request
  const search = withoutParameter(request.search)
  if (request.search.get(AS_OF))
    throw invalid({ [AS_OF]: ['The past of a branch is not stored. Leave out the time or the branch.'] })
  const branch = await openBranch(request.service, wanted)
  return { ...request, search, service: branchService(request.service, branch) }
}

function withoutParameter(search: URLSearchParams): URLSearchParams {
  if (!search.has(BRANCH_PARAMETER)) return search
  const others = new URLSearchParams(search)
  others.delete(BRANCH_PARAMETER)
  return others
}
