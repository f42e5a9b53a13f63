import type { ApiVersion } from '../base/api-version.ts'
import { ApiError, invalid } from '../base/errors.ts'
import { lastValue } from '../read/query/last-value.ts'
import type { Registry } from '../schema/registry.ts'
import { SYSTEM } from '../schema/system-models.ts'
import { type AffectedObject, DryRun, type DryRunReport, type ExpectedAction } from '../write/dry-run/dry-run.ts'
import type { ChangeRecord } from '../write/record/changes.ts'
import type { ApiRequest } from './api-request.ts'
import { isReading, type Operation } from './endpoint.ts'
import { errorResponse } from './errors.ts'
import { bodyText, type HttpResponse, type WholeResponse, wholeResponse } from './response.ts'

const PARAMETER = 'dry_run'
const VALUES: Readonly<Record<string, boolean>> = {
  ...{ true: true, 1: true, yes: true, on: true },
  ...{ false: false, 0: false, no: false, off: false, '': false },
}

/** Maximum length of a list in the response; `counts` always has the full numbers. */
const MOST_LISTED = 1_000

/**
 * Whether the request asks for a dry run. Throws `invalid` for a value that is neither yes nor no, and if the endpoint
 * has no dry run for the method: such a request must not be carried out.
 */
export function isDryRun({ method, search }: Pick<ApiRequest, 'method' | 'search'>, operation: Operation): boolean {
  if (!search.has(PARAMETER) || isReading(operation, method)) return false
  const isDry = VALUES[lastValue(search, PARAMETER)?.toLowerCase() ?? '']
  if (isDry === undefined) throw invalid({ [PARAMETER]: ['Must be a valid boolean.'] })
  if (isDry && !operation.hasDryRun) {
    throw new ApiError({ kind: 'malformed', detail: 'This request cannot be tried with dry_run.' })
  }
  return isDry
}

/** Response to a dry run: the response of `handle`, even a refusal, and the effects. */
export const dryRunResponse = async (
  request: ApiRequest,
  handle: (request: ApiRequest) => Promise<HttpResponse>,
): Promise<WholeResponse> => ({
  status: 200,
  body: (await dryRunReport({ dry_run: true }, request, (dryRun) => handle({ ...request, dryRun }))).text,
})

/**
 * The status of the response of `handle`, and the JSON text of the response, even a refusal, and of its effects, after
 * the members of `head`.
 */
export async function dryRunReport(
  head: object,
  request: Pick<ApiRequest, 'service' | 'base'>,
  handle: (dryRun: DryRun) => Promise<HttpResponse>,
): Promise<{ readonly status: number; readonly text: string }> {
  const dryRun = new DryRun()
  const response = await responseOf(() => handle(dryRun), request.service.registry.version)
  const body = bodyText(response)
  const members = JSON.stringify({ ...head, status: response.status })
  const result = `"result":${body === '' ? 'null' : body}`
  return { status: response.status, text: `${members.slice(0, -1)},${result},${effectsText(request, dryRun.report)}}` }
}

/** A refusal is a response too. Throws if the service itself fails. */
async function responseOf(handle: () => Promise<HttpResponse>, version: ApiVersion): Promise<WholeResponse> {
  try {
    return await wholeResponse(await handle())
  } catch (error) {
    const response = errorResponse(error, version)
    if (!response) throw error
    return response
  }
}

/** Members of the response: JSON without the braces around them. */
function effectsText(
  { service: { registry }, base }: Pick<ApiRequest, 'service' | 'base'>,
  report: DryRunReport,
): string {
  const { created, changed, deleted, records, actions } = report
  const objects = (list: readonly AffectedObject[]) =>
    list.slice(0, MOST_LISTED).map(({ type, id, display, fields }) => ({
      object_type: type,
      id,
      url: `${base}/api/${registry.models.get(type)?.path}/${id}/`,
      display,
      ...(fields && { fields }),
    }))
  const effects = JSON.stringify({
    counts: {
      created: created.length,
      changed: changed.length,
      deleted: deleted.length,
      changes: records.length,
      deliveries: actions.length,
    },
    created: objects(created),
    changed: objects(changed),
    deleted: objects(deleted),
  })
  const changes = records.slice(0, MOST_LISTED).map((record) => recordText(registry, record))
  const deliveries = JSON.stringify(actions.slice(0, MOST_LISTED).map(deliveryJson))
  return `${effects.slice(1, -1)},"changes":[${changes.join()}],"deliveries":${deliveries}`
}

/** A change record in the API's form, with the values of a record that has not been stored. */
function recordText(registry: Registry, { action, type, id, name, message, before, after }: ChangeRecord): string {
  const head = JSON.stringify({
    action: { value: action, label: actionLabel(registry, action) },
    changed_object_type: type,
    changed_object_id: id,
    object_repr: name,
    message,
  })
  // The data is JSON text, some kilobytes for each record.
  return `${head.slice(0, -1)},"prechange_data":${dataText(before)},"postchange_data":${dataText(after)}}`
}

function actionLabel(registry: Registry, action: string): string | undefined {
  const field = registry.models.get(SYSTEM.objectChange)?.fields.get('action')
  if (field?.kind !== 'choice') return undefined
  return field.choices.list.find(({ value }) => value === action)?.label
}

/** Data of an object in a change record; null if the object does not exist. */
const dataText = (text: string): string => (text === '{}' ? 'null' : text)

const deliveryJson = ({ rule, eventType, actionType, target, object }: ExpectedAction) => ({
  event_rule: rule,
  event_type: eventType,
  action_type: actionType,
  action_object_type: target.type,
  action_object_id: target.id,
  object_type: object.type,
  object_id: object.id,
})
