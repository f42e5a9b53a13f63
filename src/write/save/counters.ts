import { oncePer } from '../../schema/once-per.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { identifier, join, sql } from '../../sql/fragment.ts'
import { updateTable } from '../../sql/table.ts'
import type { WriteContext } from '../context.ts'
import type { Saved } from './insert-update.ts'

/** Row values that determine the counters of a row. */
type Counted = Readonly<Record<string, unknown>>

/** Counters for the rows of a model by one of its foreign keys. */
interface Feed {
  readonly via: string
  readonly target: Model
  readonly names: readonly string[]
}

/** Stored counters, by the name of the model whose rows they count. */
const feedsOf = oncePer((registry: Registry): ReadonlyMap<string, readonly Feed[]> => {
  const all = [...registry.models.values()].flatMap((target) =>
    [...target.fields].flatMap(([name, field]) =>
      field.kind === 'counter' ? [{ of: field.of, via: field.via, target, name }] : [],
    ),
  )
  const merged = new Map<string, Feed[]>()
  for (const [key, list] of Map.groupBy(all, ({ of, via, target }) => `${of} ${via} ${target.name}`)) {
    const [first] = list
    if (!first) continue
    const [of = ''] = key.split(' ')
    const feed = { via: first.via, target: first.target, names: list.map(({ name }) => name) }
    merged.set(of, [...(merged.get(of) ?? []), feed])
  }
  return merged
})

/** Whether rows of the model count other rows of the same model. */
export const countsItself = oncePer((model: Model): boolean =>
  [...model.fields.values()].some((field) => field.kind === 'counter' && field.of === model.name),
)

/** Updates the counters in the objects of the rows, once all of these are stored. */
export const countRows = (context: WriteContext, model: Model, items: readonly Saved[]): void =>
  adjustCounters(
    context,
    model,
    items.flatMap(({ previous }) => previous ?? []),
    items.map(({ next }) => next),
  )

/**
 * Updates the counters: `gone` are rows before, `fresh` rows after the change. One statement per counted foreign key,
 * however many rows.
 */
export function adjustCounters(
  { service, transaction }: WriteContext,
  model: Model,
  gone: readonly Counted[],
  fresh: readonly Counted[],
): void {
  for (const { via, target, names } of feedsOf(service.registry).get(model.name) ?? []) {
    const changes = new Map<number, number>()
    const count = (rows: readonly Counted[], by: number) => {
      for (const row of rows) {
        const id = row[via]
        if (typeof id === 'number') changes.set(id, (changes.get(id) ?? 0) + by)
      }
    }
    count(gone, -1)
    count(fresh, 1)
    const rows = [...changes].filter(([, by]) => by !== 0).sort(([left], [right]) => left - right)
    if (rows.length === 0) continue
    const assignments = names.map((name) => sql`${identifier(name)} = t.${identifier(name)} + q.by`)
    const change = {
      rows: rows.map(([id]) => id),
      columns: [...names],
    }
    transaction.send(sql`
      ${updateTable(target, change)} t set ${join(assignments)}
      from unnest(${rows.map(([id]) => id)}::bigint[], ${rows.map(([, by]) => by)}::bigint[]) as q(id, by)
      where t.id = q.id`)
  }
}
