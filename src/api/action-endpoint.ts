import { forbidden } from '../errors.ts'
import { requirePermission } from '../identity/permitted-rows.ts'
import { requireUser } from '../identity/require-user.ts'
import { lastValue } from '../read/query/last-value.ts'
import type { Action, ActionMethod, Operation } from './actions/action.ts'
import type { ApiRequest } from './api-request.ts'
import type { Endpoint, Handler } from './endpoint.ts'
import { DOTTED, ID } from './routes.ts'
import { wantsEventStream, wantsText } from './transport/negotiate.ts'

/** Patterns of the paths at which an action is served. */
export const actionPatterns = ({ path, takesNames }: Action): readonly string[] =>
  [ID, ...(takesNames ? [DOTTED] : [])].map((name) => `/api/${path.replaceAll(/:\w+/g, name)}/`)

/** An action as an endpoint: it checks the declared permission, then runs the handler. */
export function actionEndpoint({
  path,
  title,
  description = '',
  offersText = false,
  offersEventStream = false,
  hasNoHistory,
  methods,
}: Action): Endpoint {
  // `Object.entries` widens the keys to string.
  const operations = Object.entries(methods) as [ActionMethod, Operation][]
  return {
    name: title,
    description,
    methods: Object.fromEntries(operations.map(([method, operation]) => [method, handlerOf(operation, offersText)])),
    needsWriter: true,
    isTrace: path.endsWith('/trace'),
    takesReaders: new Set(
      operations.filter(([, { takesReadingTokens }]) => takesReadingTokens).map(([method]) => method),
    ),
    reading: new Set(operations.filter(([, { isReading }]) => isReading).map(([method]) => method)),
    dryRuns: new Set(operations.filter(([, { hasDryRun }]) => hasDryRun).map(([method]) => method)),
    negotiates: offersText,
    offersEventStream,
    ...(hasNoHistory && { hasNoHistory }),
    hasPage: offersText,
  }
}

const handlerOf =
  ({ permission, handle }: Operation, offersText: boolean): Handler =>
  async (request) => {
    const { headers, search } = request
    const isText = offersText && wantsText(headers.accept, lastValue(search, 'format'))
    requireOperationPermission(permission, request)
    return await handle({
      ...request,
      wantsText: isText,
      wantsEventStream: wantsEventStream(headers.accept, search),
    })
  }

function requireOperationPermission(permission: Operation['permission'], request: ApiRequest): void {
  const { service, actor } = request
  if (typeof permission === 'string') {
    const user = requireUser(request)
    if (permission === 'superuser' && !user.isSuperuser) throw forbidden()
    return
  }
  for (const [name, model] of Object.entries(permission)) {
    requirePermission(actor, name, service.registry.model(model), service.settings)
  }
}
