import { ApiError, forbidden, invalid } from '../../base/errors.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
import { requireUser } from '../../identity/require-user.ts'
import type { CustomModel } from '../../models/custom-models/custom-models.ts'
import { customObjectField } from '../../models/custom-models/custom-object-field.ts'
import { customObjectType } from '../../models/custom-models/custom-object-type.ts'
import { storedTypes } from '../../models/custom-models/stored-types.ts'
import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { table, updateTable } from '../../sql/table.ts'
import type { WriteContext } from '../../write/context.ts'
import { createObjects } from '../../write/create-objects.ts'
import { deleteObjects } from '../../write/remove/delete-objects.ts'
import { runWrite } from '../../write/run.ts'
import { updateObjects } from '../../write/update-objects.ts'
import { writeRequestOf } from '../../write/write-request.ts'
import { ANY_OBJECT, action, listOf } from '../actions/action.ts'
import type { ApiRequest } from '../api-request.ts'
import { type HttpResponse, jsonResponse } from '../response.ts'
import {
  type DocumentType,
  differenceOf,
  fieldBody,
  readSchema,
  type TypeDifference,
  typeBody,
} from './schema-difference.ts'

/** A type of a document, the stored one with its slug, and the difference. */
interface Planned {
  readonly declared: DocumentType
  readonly stored: CustomModel | undefined
  readonly difference: TypeDifference
}

/** Compares a document with the stored types. */
async function planned(queryable: Queryable, document: unknown): Promise<readonly Planned[]> {
  const documentTypes = readSchema(document)
  const types = await storedTypes(queryable)
  const bySlug = new Map(types.map((defined) => [defined.type.slug, defined]))
  const sets = await queryable.query<{ id: number; name: string }>(
    sql`select id, name from ${table(SYSTEM.customFieldChoiceSet)}`,
  )
  const choiceSets = new Map(sets.map(({ id, name }) => [id, name]))
  /** `custom-objects/<slug>` with the name of the model, as it is stored. */
  const targetOf = (target: Json): Json => {
    const slug = typeof target === 'string' ? /^custom-objects\/(.+)$/.exec(target)?.[1] : undefined
    const defined = slug === undefined ? undefined : bySlug.get(slug)
    return defined ? defined.type.object_type_name.replace('.', '/') : target
  }
  return documentTypes.map((type) => {
    const stored = bySlug.get(type.slug)
    return { declared: type, stored, difference: differenceOf(type, stored, { choiceSets, targetOf }) }
  })
}

async function preview(request: ApiRequest): Promise<HttpResponse> {
  const plan = await planned(request.service.database, await request.body.read())
  return jsonResponse(200, { diffs: plan.map(({ difference }) => difference) })
}

async function apply(request: ApiRequest): Promise<HttpResponse> {
  const user = requireUser(request)
  const { service } = request
  const model = service.registry.model(customObjectType.name)
  const mayWrite = (['add', 'change'] as const).every((name) => mayAct(user, name, model, service.settings))
  if (!mayWrite) throw forbidden()
  const body = await request.body.read()
  if (!isJsonObject(body)) throw invalid({ schema: ['This field is required.'] })
  return await runWrite(service, writeRequestOf(request, user), async (context) => {
    const plan = await planned(context.transaction, body.schema)
    const destructive = plan.filter(({ difference }) => difference.has_destructive_changes)
    if (destructive.length > 0 && body.allow_destructive !== true) {
      return jsonResponse(409, {
        error: 'destructive_changes',
        detail: 'The document removes fields. Set "allow_destructive" to apply it.',
        destructive_slugs: destructive.map(({ declared }) => declared.slug),
      })
    }
    try {
      await writeSchema(context, plan)
    } catch (error) {
      const detail = unresolved(error)
      if (detail === undefined) throw error
      throw invalid({ error: 'unresolvable_reference', detail })
    }
    return jsonResponse(200, { applied: true, diffs: plan.map(({ difference }) => difference) })
  })
}

const REFERENCES = ['related_object_type', 'related_object_types_input', 'choice_set', 'type']

/** The message of a refusal because a reference of a document leads nowhere. */
function unresolved(error: unknown): string | undefined {
  if (!(error instanceof ApiError) || error.reason.kind !== 'invalid') return undefined
  const lists = [error.reason.messages].flat().filter(isJsonObject)
  const [message] = lists.flatMap((messages) =>
    REFERENCES.flatMap((name) => [(messages as Readonly<Record<string, unknown>>)[name] ?? []].flat()),
  )
  return typeof message === 'string' ? message : undefined
}

/** Writes all types, then all fields, each with one batch per kind of write. */
async function writeSchema(context: WriteContext, plan: readonly Planned[]): Promise<void> {
  const { registry } = context.service
  const [types, fields] = [registry.model(customObjectType.name), registry.model(customObjectField.name)]
  const isNew = plan.filter(({ stored }) => !stored)
  const created = await createObjects(
    context,
    types,
    isNew.map(({ declared }) => typeBody(declared)),
    { bulk: true },
  )
  const ids = new Map(isNew.map(({ declared }, index) => [declared.slug, created[index] ?? 0]))
  const idOf = ({ declared, stored }: Planned): number => stored?.type.id ?? ids.get(declared.slug) ?? 0
  const changed = plan.flatMap(({ declared, stored, difference }) =>
    stored && Object.keys(difference.cot_changes).length > 0 ? [{ id: stored.type.id, body: typeBody(declared) }] : [],
  )
  if (changed.length > 0) await updateObjects(context, types, changed, { partial: true, bulk: true })
  const ops = plan.flatMap((part) =>
    part.difference.field_changes.map((change) => ({
      change,
      type: idOf(part),
      id: part.stored?.fields.find(({ row }) => row.schema_id === change.schema_id)?.row.id ?? 0,
    })),
  )
  const withOp = (op: string) => ops.filter(({ change }) => change.op === op)
  const removed = withOp('remove').map(({ id }) => ({ id }))
  if (removed.length > 0) await deleteObjects(context, fields, removed, { bulk: true })
  const altered = withOp('alter').map(({ change, type, id }) => ({ id, body: fieldBody(change.schema_def, type) }))
  if (altered.length > 0) await updateObjects(context, fields, altered, { partial: true, bulk: true })
  const added: readonly JsonObject[] = withOp('add').map(({ change, type }) => fieldBody(change.schema_def, type))
  if (added.length > 0) await createObjects(context, fields, added, { bulk: true })
  const documents = plan.map((part) => ({ id: idOf(part), document: part.declared.document }))
  await context.transaction.execute(sql`
    ${updateTable(types)} t set schema_document = q.document
    from jsonb_to_recordset(${JSON.stringify(documents)}::jsonb) as q(id bigint, document jsonb) where t.id = q.id`)
}

/** POST: the difference between a document and the stored types; nothing is written. */
export const schemaPreview = action({
  path: 'plugins/custom-objects/schema/preview',
  title: 'Schema Preview',
  description: 'Compare a schema document with the custom object types.',
  methods: {
    POST: {
      permission: { view: customObjectType.name },
      body: ANY_OBJECT,
      answer: { type: 'object', properties: { diffs: listOf(ANY_OBJECT) } },
      handle: preview,
    },
  },
})

/** POST: makes the stored types match a document, in one transaction. */
export const schemaApply = action({
  path: 'plugins/custom-objects/schema/apply',
  title: 'Schema Apply',
  description: 'Create and change custom object types by a schema document, all or none.',
  methods: {
    POST: {
      permission: 'user',
      hasDryRun: true,
      body: {
        type: 'object',
        properties: { schema: ANY_OBJECT, allow_destructive: { type: 'boolean' } },
        required: ['schema'],
      },
      answer: { type: 'object', properties: { applied: { type: 'boolean' }, diffs: listOf(ANY_OBJECT) } },
      handle: apply,
    },
  },
})
