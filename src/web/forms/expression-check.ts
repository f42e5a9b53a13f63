import { checkedExpression } from '../../api/actions/extras/check-expression.ts'
import type { ApiRequest } from '../../api/api-request.ts'
import { jsonResponse, type WholeResponse } from '../../api/response.ts'
import { requirePermission } from '../../identity/permitted-rows.ts'
import { resultType } from '../../models/extras/computed-field.ts'
import { lastValue } from '../../read/query/last-value.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { translateLabel } from '../texts/translate.ts'

const typeLabel = (type: string | null): string =>
  translateLabel(resultType.list.find(({ value }) => value === type)?.label ?? '')

/** GET ?object_type=&expression=&position=: as the API's check of an expression, in the language of the page. */
export async function expressionCheck(request: ApiRequest): Promise<WholeResponse> {
  const { service, actor, search } = request
  requirePermission(actor, 'view', service.registry.model(SYSTEM.computedField), service.settings)
  const parameters = { ...Object.fromEntries(search), position: Number(lastValue(search, 'position')) }
  const { type, error, suggestions, ...checked } = await checkedExpression(request, parameters)
  const names = suggestions?.names.map(({ name, kind, label, help, type: result }) => ({
    ...{ name, kind, label: translateLabel(label) },
    help: kind === 'field' ? typeLabel(result) : translateLabel(help),
  }))
  // The suggestions show which names there are.
  const shortened = error && { ...error, message: error.message.replace(/ There are: .*/, '') }
  return jsonResponse(200, { ...checked, type: typeLabel(type), error: shortened, names: names ?? [] })
}
