import { ApiError } from '../../base/errors.ts'
import { keptParts } from '../../db/migrate/kept-parts.ts'
import { lockSchema } from '../../db/migrate/migrate.ts'
import { quoted } from '../../db/migrate/quote.ts'
import { schemaOf } from '../../db/migrate/schema-of.ts'
import type { StoredSchema } from '../../db/migrate/stored-schema.ts'
import { readSchemaVersion, writeVersion } from '../../db/migrate/version.ts'
import type { Registry } from '../../schema/registry.ts'
import { mainOf } from '../../service.ts'
import { identifier, volatile } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { systemTable } from '../../sql/table.ts'
import { ANY_OBJECT, action, listOf } from '../actions/action.ts'
import type { ApiRequest } from '../api-request.ts'
import { type HttpResponse, jsonResponse } from '../response.ts'

/** The tables and columns of removed types and fields, which the database still has, and its whole schema. */
interface Removed {
  readonly tables: readonly string[]
  readonly columns: readonly { readonly table: string; readonly column: string }[]
  readonly schema: StoredSchema
  readonly steps: readonly string[]
}

async function removedParts(queryable: Queryable, registry: Registry): Promise<Removed | undefined> {
  const version = await readSchemaVersion(queryable)
  if (!version) return undefined
  const { schema, steps } = version
  const declared = schemaOf(registry, { trigrams: false })
  const kept = keptParts(schema, declared)
  const tables = Object.keys(kept.tables).filter((name) => !declared.tables[name])
  const columns = Object.entries(kept.tables).flatMap(([table, { columns: all }]) => {
    const current = declared.tables[table]?.columns
    return current ? Object.keys(all).flatMap((column) => (current[column] ? [] : [{ table, column }])) : []
  })
  return { tables, columns, schema, steps }
}

/** Whether the table contains past versions, or rows of branches. */
const isSecondary = (table: string): boolean => /_(history|branch)$/.test(table)

async function list({ service }: ApiRequest): Promise<HttpResponse> {
  // Views of branches have no columns of removed fields.
  const { database, registry } = mainOf(service)
  const removed = await removedParts(database, registry)
  const count = async (table: string, column?: string): Promise<number> => {
    const [value] = await database.queryColumn(
      column === undefined
        ? volatile`select count(*) from ${systemTable(table)}`
        : volatile`select count(${identifier(column)}) from ${systemTable(table)}`,
    )
    return Number(value)
  }
  const tables = (removed?.tables ?? []).filter((table) => !isSecondary(table))
  const columns = (removed?.columns ?? []).filter(({ table }) => !isSecondary(table))
  const results = [
    ...(await Promise.all(tables.map(async (table) => ({ table, column: null, values: await count(table) })))),
    ...(await Promise.all(columns.map(async (part) => ({ ...part, values: await count(part.table, part.column) })))),
  ]
  return jsonResponse(200, { count: results.length, next: null, previous: null, results })
}

/** Deletes the tables and columns for good. */
async function purge({ service }: ApiRequest): Promise<HttpResponse> {
  if (service.branch) {
    const detail = 'Branches share the values of removed fields. Send the request without the branch.'
    throw new ApiError({ kind: 'malformed', detail })
  }
  await service.database.transaction(async (transaction) => {
    await lockSchema(transaction)
    const removed = await removedParts(transaction, service.registry)
    if (!removed || removed.tables.length + removed.columns.length === 0) return
    await transaction.script(
      [
        ...removed.tables.map((table) => `drop table ${quoted(table)} cascade`),
        ...removed.columns.map(({ table, column }) => `alter table ${quoted(table)} drop column ${quoted(column)}`),
      ].join(';\n'),
    )
    await writeVersion(transaction, without(removed), removed.steps)
  })
  return { status: 204 }
}

/** The stored schema without the removed parts. */
function without({ schema, tables, columns }: Removed): StoredSchema {
  const gone = new Set(tables)
  const dropped = new Set(columns.map(({ table, column }) => `${table}.${column}`))
  const ofOthers = <Part extends { readonly table: string }>(parts: Readonly<Record<string, Part>> = {}) =>
    Object.fromEntries(Object.entries(parts).filter(([, { table }]) => !gone.has(table)))
  return {
    ...schema,
    tables: Object.fromEntries(
      Object.entries(schema.tables).flatMap(([name, table]) => {
        if (gone.has(name)) return []
        const remaining = Object.entries(table.columns).filter(([column]) => !dropped.has(`${name}.${column}`))
        return [[name, { ...table, columns: Object.fromEntries(remaining) }]]
      }),
    ),
    constraints: ofOthers(schema.constraints),
    indexes: ofOthers(schema.indexes),
    triggers: ofOthers(schema.triggers),
  }
}

/** What is left of removed types and fields, which an undo restores, until it is deleted for good. */
export const removedData = action({
  path: 'plugins/custom-objects/removed',
  title: 'Removed Custom Objects',
  description:
    'The values of removed custom object types and fields. An undo restores them until they are deleted here.',
  methods: {
    GET: {
      permission: 'superuser',
      answer: { type: 'object', properties: { count: { type: 'integer' }, results: listOf(ANY_OBJECT) } },
      handle: list,
    },
    DELETE: { permission: 'superuser', status: 204, summary: 'Delete the values for good', handle: purge },
  },
})
