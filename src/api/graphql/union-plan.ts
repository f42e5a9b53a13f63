import { membershipsIn } from '../../read/groups/memberships.ts'
import { queryResults } from '../../read/serialise/computed.ts'
import type { ValueRenderer } from '../../read/serialise/plan.ts'
import { readSharedRows } from '../../read/serialise/shared-rows.ts'
import type { ComputeContext } from '../../schema/computed.ts'
import type { Model } from '../../schema/registry.ts'
import { type Execution, VOID } from './execution.ts'
import type { ObjectPlan, SelectedField } from './selected-field.ts'
import type { Source } from './source.ts'

/** A row of any of several models. */
interface ObjectKey {
  readonly model: string
  readonly id: number
}

type TextOf = (reference: ObjectKey) => string | undefined

/** Reads the objects, with one plan for each model that a reference names, created when it is needed. */
function unionReader(
  to: readonly Model[],
  planOf: SelectedField['plan'],
): (references: Iterable<ObjectKey>) => Promise<TextOf> {
  const models = new Map(to.map((model) => [model.name, model]))
  const plans = new Map<string, ObjectPlan>()
  // Built before anything is read, so that the statements depend only on the shape of the query.
  for (const [name, model] of models) plans.set(name, planOf(model))
  return async (references) => {
    const ids = new Map<string, Set<number>>()
    for (const { model, id } of references) {
      if (!models.has(model)) continue
      const idsOfModel = ids.get(model) ?? new Set<number>()
      ids.set(model, idsOfModel.add(id))
    }
    const texts = new Map(
      await Promise.all(
        [...ids].map(async ([name, modelIds]) => [name, await plans.get(name)?.read([...modelIds])] as const),
      ),
    )
    return ({ model, id }) => texts.get(model)?.get(id)
  }
}

/** The object that a generic relation names. */
export function namedObjectRenderer(
  { type, id, to }: Extract<Source, { kind: 'generic' }>,
  { execution, builder, plan }: SelectedField,
): ValueRenderer {
  const [typeIndex, idIndex] = [builder.column(type), builder.column(id)]
  const read = unionReader(to, plan)
  const position = builder.loadByRows(async (rows) => {
    const uses = new Map<number, ObjectKey>()
    for (const row of rows) {
      if (row[typeIndex] === null || row[idIndex] === null) continue
      uses.set(Number(row[0]), { model: String(row[typeIndex]), id: Number(row[idIndex]) })
    }
    const textOf = await read(uses.values())
    return {
      get: (row) => {
        const use = uses.get(row)
        const text = use && textOf(use)
        execution.grow(text?.length ?? 0)
        return text
      },
    }
  })
  return (row, loaded) => loaded[position]?.get(Number(row[0])) ?? 'null'
}

/** Objects of several models that a declaration computes. */
export function objectListRenderer(
  { field, to }: Extract<Source, { kind: 'objectList' }>,
  { execution, builder, plan }: SelectedField,
): ValueRenderer {
  const read = unionReader(to, plan)
  const resultsOf = queryResults(builder, field)
  const position = builder.loadByIds(async (batch) => {
    const results = resultsOf(batch, execution.whole)
    const lists = await referencesOf(execution, field, batch.ids, results)
    const textOf = await read([...lists.values()].flat())
    return {
      get: (id) => {
        const items = (lists.get(id) ?? []).flatMap((reference) => textOf(reference) ?? [])
        for (const item of items) execution.grow(item.length)
        return items.includes(VOID) ? VOID : `[${items.join(',')}]`
      },
    }
  })
  return (row, loaded) => loaded[position]?.get(Number(row[0])) ?? '[]'
}

/**
 * The objects that the declaration lists, by model and id: it receives texts that identify the objects in place of
 * their JSON.
 */
async function referencesOf(
  { whole }: Execution,
  field: Extract<Source, { kind: 'objectList' }>['field'],
  ids: readonly number[],
  results: ComputeContext['results'],
): Promise<ReadonlyMap<number, readonly ObjectKey[]>> {
  const texts = await field.load(ids, {
    database: whole.database,
    cached: (_key, load) => load(),
    nested: async (model) => ({ get: (id) => JSON.stringify({ model, id, isReference: true }) }),
    rows: (shared, ids) => readSharedRows(whole, shared, ids),
    results,
    memberships: membershipsIn({ registry: whole.service.registry, database: whole.database }),
    share: (_key, load) => load(),
  })
  return new Map(
    ids.map((id) => {
      const text = texts.get(id)
      return [id, text === undefined ? [] : referencesIn(JSON.parse(text))]
    }),
  )
}

function referencesIn(value: unknown): readonly ObjectKey[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn)
  if (typeof value !== 'object' || value === null) return []
  if ('isReference' in value) return [value as unknown as ObjectKey]
  return Object.values(value).flatMap(referencesIn)
}
