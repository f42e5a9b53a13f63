import DataLoader from 'dataloader'
import { applyRowSecurity, type RowSecurity } from '../../read/query/row-security.ts'
import type { Column } from '../../schema/column.ts'
import { isModelIn, type Model } from '../../schema/registry.ts'
import type { Read } from '../../schema/rule.ts'
import type { Service } from '../../service.ts'
import { identifier, join, raw, type Sql, sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { table } from '../../sql/table.ts'
import { loadRows, rowReader, type StoredRow } from '../rows.ts'
import { encodeValue } from '../values.ts'

type Where = Readonly<Record<string, unknown>>
interface Question {
  readonly model: Model
  readonly where: Where
  readonly not: number | undefined
  /** Only the first row is needed. */
  readonly single: boolean
}

/** Rows of the batch with their new values, by model and id. */
export type Overlay = ReadonlyMap<string, ReadonlyMap<number, Readonly<Record<string, unknown>>>>

/**
 * The `Read` of a batch: queries of its rules within one turn of the event loop are combined into one per kind:
 * model, compared columns, and which of them are compared to null. Rules see all rows, but the display of a row
 * hidden by row-level security is masked.
 */
export function makeRead(service: Service, queryable: Queryable, overlay: Overlay, security: RowSecurity): Read {
  const { registry } = service
  const rows = new Map<Model, DataLoader<number, StoredRow | undefined>>()
  const rowsOf = (model: Model) => {
    const loader = rows.get(model)
    if (loader) return loader
    const made = new DataLoader<number, StoredRow | undefined>(async (ids) => {
      const loaded = await loadRows(service, queryable, model, ids)
      const visible = await withoutHiddenNames(queryable, security, model, loaded)
      const byId = new Map(visible.map((row) => [row.id, row]))
      return ids.map((id) => seen(overlay, model, byId.get(id)))
    })
    rows.set(model, made)
    return made
  }
  const visibility = new Map<Model, DataLoader<number, boolean>>()
  const seenBy = (model: Model) => {
    const loader = visibility.get(model)
    if (loader) return loader
    const made = new DataLoader<number, boolean>(async (ids) => {
      const seen = await visibleIds(queryable, security, model, ids)
      return ids.map((id) => seen.has(id))
    })
    visibility.set(model, made)
    return made
  }
  const questions = new DataLoader<Question, readonly StoredRow[], string>(
    (batch) => loadAnswers(service, queryable, security, batch),
    {
      cacheKeyFn: ({ model, where, not, single }) => JSON.stringify([model.name, where, not, single]),
    },
  )

  // The generic signatures of Read are narrower than those for rows of any model; the registry guarantees that they
  // match.
  const read = {
    get: async (definition: { readonly name: string }, id: number) => {
      const row = await rowsOf(registry.model(definition.name)).load(id)
      if (!row) throw new Error(`${definition.name} has no row ${id} for a rule to read`)
      return row
    },
    getMany: async (definition: { readonly name: string }, ids: readonly number[]) => {
      const loaded = await rowsOf(registry.model(definition.name)).loadMany(ids)
      return loaded.filter((row) => row !== undefined && !(row instanceof Error))
    },
    find: async (definition: { readonly name: string }, where: Where, { not }: { readonly not?: number } = {}) => {
      const model = registry.model(definition.name)
      const [row] = await questions.load({ model, where, not, single: true })
      return row
    },
    all: (definition: { readonly name: string }, where: Where) =>
      questions.load({
        model: registry.model(definition.name),
        where,
        not: undefined,
        single: false,
      }),
    shows: async (definition: { readonly name: string }, id: number) =>
      (await seenBy(registry.model(definition.name)).load(id)) ?? false,
    isModel: isModelIn(registry),
    database: queryable,
  }
  return read as unknown as Read
}

async function visibleIds(
  queryable: Queryable,
  security: RowSecurity,
  model: Model,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const rows = await queryable.query<{ id: number }>(
    applyRowSecurity(security, sql`select t.id from ${table(model)} t where t.id = any(${ids}::bigint[])`),
  )
  return new Set(rows.map(({ id }) => id))
}

/** The rows in order, with the display of hidden ones masked. */
async function withoutHiddenNames(
  queryable: Queryable,
  security: RowSecurity,
  model: Model,
  rows: readonly StoredRow[],
): Promise<readonly StoredRow[]> {
  if (security.visibleRows(model) === 'all' || rows.length === 0) return rows
  const visible = await visibleIds(
    queryable,
    security,
    model,
    rows.map(({ id }) => id),
  )
  const display = `A hidden ${model.definition.labels[0]}`
  return rows.map((row) => (visible.has(row.id) ? row : { ...row, display }))
}

/** The row with the changes made in the batch. */
function seen(overlay: Overlay, model: Model, row: StoredRow | undefined): StoredRow | undefined {
  const changed = row && overlay.get(model.name)?.get(row.id)
  return changed ? { ...row, ...changed, display: row.display } : row
}

async function loadAnswers(
  service: Service,
  queryable: Queryable,
  security: RowSecurity,
  questions: readonly Question[],
): Promise<StoredRow[][]> {
  const answers = questions.map((): StoredRow[] => [])
  const kinds = Map.groupBy(
    questions.flatMap((question, position) =>
      alternatives(question.where).map((where) => ({ question, where, position })),
    ),
    ({ question: { model, single, not }, where }) =>
      JSON.stringify([model.name, single, not === undefined, signatureOf(where)]),
  )
  for (const list of kinds.values()) {
    const [first] = list
    if (!first) continue
    const { model, single } = first.question
    const reader = rowReader(service, model)
    const selected = await queryable.queryArrays(statementOf(model, reader.select, list, single))
    const rows = selected.map((values) => reader.read(values, 1))
    const visible = await withoutHiddenNames(queryable, security, model, rows)
    for (const [index, row] of visible.entries()) answers[Number(selected[index]?.[0])]?.push(row)
  }
  // A query with several alternatives is executed in parts, each with its own first row.
  return answers.map((rows) => uniqueById(rows).sort((left, right) => left.id - right.id))
}

const uniqueById = (rows: readonly StoredRow[]): StoredRow[] => [...new Map(rows.map((row) => [row.id, row])).values()]

function statementOf(
  model: Model,
  select: Sql,
  list: readonly { question: Question; where: Where; position: number }[],
  single: boolean,
): Sql {
  const [first] = list
  const arrays: Sql[] = [sql`${list.map(({ position }) => position)}::int[]`]
  const names: Sql[] = [identifier('position')]
  const conditions = Object.entries(first?.where ?? {}).map(([key, value], at) => {
    const column = columnOf(model, key)
    const stored = identifier('o', column.name)
    if (value === null) return sql`${stored} is null`
    arrays.push(sql`${list.map(({ where }) => encodeValue(column, where[key]))}::text[]`)
    names.push(identifier(`v${at}`))
    return sql`${stored} = ${identifier('q', `v${at}`)}::${raw(column.type)}`
  })
  if (first?.question.not !== undefined) {
    arrays.push(sql`${list.map(({ question }) => question.not)}::bigint[]`)
    names.push(identifier('not'))
    conditions.push(sql`o.id <> q."not"`)
  }
  const where = conditions.length > 0 ? join(conditions, ' and ') : sql`true`
  const from = sql`unnest(${join(arrays)}) as q(${join(names)})`
  return single
    ? sql`select q.position, r.* from ${from} cross join lateral (
        select ${select} from ${table(model)} o where ${where} order by o.id limit 1) r`
    : sql`select q.position, ${select} from ${from} join ${table(model)} o on ${where}`
}

function columnOf(model: Model, key: string): Column {
  const column = model.columns.get(key)
  if (!column) throw new Error(`${model.name}: a rule asks for ${key}, which is not a column`)
  return column
}

const signatureOf = (where: Where): string[] =>
  Object.entries(where).map(([key, value]) => (value === null ? `${key} is null` : key))

/** A list matches any of its values: one condition for each combination. */
function alternatives(where: Where): Where[] {
  return Object.entries(where).reduce<Where[]>(
    (combinations, [key, value]) =>
      Array.isArray(value)
        ? combinations.flatMap((combination) => value.map((item) => ({ ...combination, [key]: item })))
        : combinations.map((combination) => ({ ...combination, [key]: value ?? null })),
    [{}],
  )
}
