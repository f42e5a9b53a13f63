import { invalid, notFound } from '../../../base/errors.ts'
import { changeSummary } from '../../../changes/records/change-text.ts'
import { type UndoTarget, undoTarget } from '../../../changes/undo/request-undo.ts'
import { requireUser } from '../../../identity/require-user.ts'
import { isJsonObject, type JsonObject } from '../../../schema/json.ts'
import { SYSTEM } from '../../../schema/system-models.ts'
import { DryRun } from '../../../write/dry-run/dry-run.ts'
import { deletionMessage } from '../../../write/parse/bulk.ts'
import type { LostData } from '../../../write/remove/lost-data.ts'
import { writeRequestOf } from '../../../write/write-request.ts'
import type { ApiRequest } from '../../api-request.ts'
import { type HttpResponse, jsonResponse } from '../../response.ts'
import { type Action, listOf, schema } from '../action.ts'

/** POST: undoes the changes of the target; with `dry_run` it only reports what that would change. */
async function undo(request: ApiRequest, target: UndoTarget): Promise<HttpResponse> {
  const { service, base } = request
  const actor = requireUser(request)
  const body = await request.body.read()
  const dryRun = request.dryRun ?? (isDryRun(body) ? new DryRun() : undefined)
  const isDry = dryRun !== undefined
  const { changes, returning } = await undoTarget(service, target, {
    ...writeRequestOf(request, actor),
    actor,
    message: deletionMessage(body),
    dryRun,
    base,
  })
  return jsonResponse(200, {
    request_id: isDry ? null : request.id,
    dry_run: isDry,
    changes: changes.map((change) => {
      const { change_id, url, ...summary } = changeSummary(change, base)
      return isDry ? { ...summary, request_id: null } : { change_id, url, ...summary }
    }),
    returning: returningParts(returning),
  })
}

/** Numbers of objects that come back with their type, or whose values come back with their field or tag. */
const returningParts = ({ objects, values }: LostData): JsonObject[] => [
  ...[...objects].map(([{ name, definition }, { size }]) => ({
    ...{ object_type: name, field: null, label: definition.labels[1], count: size },
  })),
  ...values.map(({ model, field, label, ids }) => ({ object_type: model.name, field, label, count: ids.length })),
]

/**
 * `dry_run` in the body, for clients that need no list of effects. Throws for values that are neither true nor false.
 */
function isDryRun(body: unknown): boolean {
  if (body !== undefined && body !== null && !isJsonObject(body)) {
    throw invalid({ non_field_errors: ['Expected an object with named fields.'] })
  }
  const dryRun = body?.dry_run ?? false
  if (dryRun === true || dryRun === 'true') return true
  if (dryRun === false || dryRun === 'false') return false
  throw invalid({ dry_run: ['Must be a valid boolean.'] })
}

function changeOf({ parameters }: ApiRequest): UndoTarget {
  const [text = ''] = parameters
  if (!/^\d{1,15}$/.test(text)) throw notFound('object change')
  return { change: Number(text) }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function requestOf({ parameters }: ApiRequest): UndoTarget {
  const [text = ''] = parameters
  if (!UUID.test(text)) throw notFound('request')
  return { request: text }
}

const undoing = (
  path: string,
  title: string,
  summary: string,
  targetOf: (request: ApiRequest) => UndoTarget,
): Action => ({
  path: `${path}/:id/undo`,
  title,
  description:
    'Undoes changes in one transaction, or returns 409 with the later changes and objects that conflict with it.',
  methods: {
    POST: {
      permission: { view: SYSTEM.objectChange },
      summary,
      hasDryRun: true,
      body: schema('UndoRequest'),
      answer: schema('Undo'),
      handle: (request) => undo(request, targetOf(request)),
    },
  },
  schemas: SCHEMAS,
})

const FIELD_CHANGES: JsonObject = {
  type: 'object',
  additionalProperties: {
    type: 'object',
    properties: { before: {}, after: {} },
  },
}

/** Properties of a change in timelines and undos. */
const CHANGE_SUMMARY: JsonObject = {
  type: 'object',
  required: ['time', 'action', 'user_name', 'object_type', 'object_id', 'object_repr', 'changes'],
  properties: {
    change_id: { type: 'integer', format: 'int64' },
    url: { type: 'string', format: 'uri' },
    time: { type: 'string', format: 'date-time' },
    action: { type: 'string', enum: ['create', 'update', 'delete'] },
    user_id: { type: 'integer', format: 'int64', nullable: true },
    user_name: { type: 'string' },
    request_id: { type: 'string', format: 'uuid', nullable: true },
    message: { type: 'string' },
    object_type: { type: 'string' },
    object_id: { type: 'integer', format: 'int64' },
    object_repr: { type: 'string' },
    changes: FIELD_CHANGES,
  },
}

const SCHEMAS: Readonly<Record<string, JsonObject>> = {
  ChangeSummary: CHANGE_SUMMARY,
  ReturningData: {
    type: 'object',
    description: 'Objects of a restored type (without a field), or objects whose values come back with a field or tag.',
    required: ['object_type', 'field', 'label', 'count'],
    properties: {
      object_type: { type: 'string' },
      field: { type: 'string', nullable: true },
      label: { type: 'string', description: 'What people call the objects, or the field or tag.' },
      count: { type: 'integer' },
    },
  },
  UndoRequest: {
    type: 'object',
    properties: {
      dry_run: { type: 'boolean', default: false },
      changelog_message: { type: 'string', maxLength: 200 },
    },
  },
  Undo: {
    type: 'object',
    required: ['request_id', 'dry_run', 'changes', 'returning'],
    properties: {
      request_id: { type: 'string', format: 'uuid', nullable: true },
      dry_run: { type: 'boolean' },
      changes: listOf(schema('ChangeSummary')),
      returning: listOf(schema('ReturningData')),
    },
  },
}

/** The undo of one change, and of all changes of a request. */
export const undoActions: readonly Action[] = [
  undoing('core/object-changes', 'Object Change', 'Undo a change', changeOf),
  undoing('core/requests', 'Request', 'Undo all changes of a request', requestOf),
]
