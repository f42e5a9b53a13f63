import { forbidden } from '../base/errors.ts'
import { requirePermission } from '../identity/permitted-rows.ts'
import { requireUser } from '../identity/require-user.ts'
import type { Action, ActionOperation } from './actions/action.ts'
import type { ApiRequest } from './api-request.ts'
import type { Endpoint, Handler } from './endpoint.ts'
import { DOTTED, ID } from './routes.ts'
import { wantsText } from './transport/negotiate.ts'

/** Patterns of the paths at which an action is served. */
export const actionPatterns = ({ path, takesNames }: Action): readonly string[] =>
  [ID, ...(takesNames ? [DOTTED] : [])].map((name) => `/api/${path.replaceAll(/:\w+/g, name)}/`)

/** An action as an endpoint: it checks the declared permission, then runs the handler. */
export const actionEndpoint = ({
  path,
  title,
  description = '',
  offersText,
  offersEventStream,
  hasNoHistory,
  methods,
}: Action): Endpoint => ({
  name: title,
  description,
  kind: offersText ? 'text' : 'api',
  offersEventStream,
  hasNoHistory,
  isTrace: path.endsWith('/trace'),
  methods: Object.fromEntries(
    Object.entries(methods).map(([method, operation]) => [
      method,
      { ...operation, handle: permitted(operation, offersText === true) },
    ]),
  ),
})

const permitted =
  ({ permission, handle }: ActionOperation, offersText: boolean): Handler =>
  async (request) => {
    // A type that the action cannot produce is refused before it does anything.
    if (offersText) wantsText(request)
    requireOperationPermission(permission, request)
    return await handle(request)
  }

function requireOperationPermission(permission: ActionOperation['permission'], request: ApiRequest): void {
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
