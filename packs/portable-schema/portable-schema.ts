import {
  ANY_OBJECT,
  ApiError,
  type ApiRequest,
  action,
  type EndpointWriter,
  forbidden,
  type HttpResponse,
  invalid,
  isJsonObject,
  type Json,
  jsonResponse,
  listOf,
  mayAct,
  type Queryable,
  requireUser,
  sql,
  table,
  updateTable,
  writeWith,
} from 'cadastre'
import type { CustomModel } from 'cadastre/models/custom-models/custom-models'
import { customObjectField } from 'cadastre/models/custom-models/custom-object-field'
import { customObjectType } from 'cadastre/models/custom-models/custom-object-type'
import { storedTypes } from 'cadastre/models/custom-models/stored-types'
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
    sql`select id, name from ${table('extras.customfieldchoiceset')}`,
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
  return await writeWith(request, async (write) => {
    const plan = await planned(write.database, body.schema)
    const destructive = plan.filter(({ difference }) => difference.has_destructive_changes)
    if (destructive.length > 0 && body.allow_destructive !== true) {
      return jsonResponse(409, {
        error: 'destructive_changes',
        detail: 'The document removes fields. Set "allow_destructive" to apply it.',
        destructive_slugs: destructive.map(({ declared }) => declared.slug),
      })
    }
    try {
      await writeSchema(write, plan)
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
async function writeSchema(write: EndpointWriter, plan: readonly Planned[]): Promise<void> {
  const [types, fields] = [customObjectType.name, customObjectField.name]
  const isNew = plan.filter(({ stored }) => !stored)
  const created = await write.create(
    types,
    isNew.map(({ declared }) => typeBody(declared)),
  )
  const ids = new Map(isNew.map(({ declared }, index) => [declared.slug, created[index] ?? 0]))
  const idOf = ({ declared, stored }: Planned): number => stored?.type.id ?? ids.get(declared.slug) ?? 0
  const changed = plan.flatMap(({ declared, stored, difference }) =>
    stored && Object.keys(difference.cot_changes).length > 0 ? [{ id: stored.type.id, body: typeBody(declared) }] : [],
  )
  await write.update(types, changed)
  const ops = plan.flatMap((part) =>
    part.difference.field_changes.map((change) => ({
      change,
      type: idOf(part),
      id: part.stored?.fields.find(({ row }) => row.schema_id === change.schema_id)?.row.id ?? 0,
    })),
  )
  const withOp = (op: string) => ops.filter(({ change }) => change.op === op)
  await write.remove(
    fields,
    withOp('remove').map(({ id }) => id),
  )
  await write.update(
    fields,
    withOp('alter').map(({ change, type, id }) => ({ id, body: fieldBody(change.schema_def, type) })),
  )
  await write.create(
    fields,
    withOp('add').map(({ change, type }) => fieldBody(change.schema_def, type)),
  )
  const documents = plan.map((part) => ({ id: idOf(part), document: part.declared.document }))
  await write.database.execute(sql`
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
