import { genericKeys } from '../../schema/generic-keys.ts'
import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import { oncePer } from '../../schema/once-per.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { identifier, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import type { WriteContext } from '../context.ts'

/** The model of the ends of a model's objects, such as the terminations of cables. */
export interface Ends {
  readonly part: Model
  /** Columns: of the object, and of the type and id of the object at the end. */
  readonly columns: readonly [string, string, string]
}

/** The ends by which objects of a model are found; undefined for most models. */
export const identifyingEnds = oncePer((model: Model, { models }: Registry): Ends | undefined => {
  for (const candidate of models.values()) {
    const { changeSide, changeRelates = [] } = candidate.definition
    const holder = changeSide && candidate.columns.get(changeSide.of)
    if (holder?.field.kind !== 'foreignKey' || holder.field.to !== model.name) continue
    for (const name of [changeRelates].flat()) {
      const field = candidate.fields.get(name)
      const keys = field?.kind === 'genericForeignKey' ? genericKeys(name, field) : undefined
      if (keys) return { part: candidate, columns: [holder.name, keys.type, keys.id] }
    }
  }
  return undefined
})

/**
 * The bodies with the ids of the objects that already have one of their ends; null if there is none. Bodies of models
 * without ends are returned unchanged.
 */
export async function withIdsByEnds(
  context: WriteContext,
  model: Model,
  bodies: readonly JsonObject[],
): Promise<readonly JsonObject[]> {
  const ends = identifyingEnds(model, context.service.registry)
  if (!ends) return bodies
  const firstEnds = bodies.map(firstEnd)
  const [holder, type, id] = ends.columns
  const rows = await context.transaction.query<{ position: number; holder: number }>(sql`
    select q.position::int as position, p.${identifier(holder)} as holder
    from unnest(${firstEnds.map((end) => end?.type ?? null)}::text[], ${firstEnds.map((end) => end?.id ?? null)}::bigint[])
      with ordinality as q(type, id, position)
    join ${table(ends.part)} p on p.${identifier(type)} = q.type and p.${identifier(id)} = q.id`)
  const holders = new Map(rows.map((row) => [row.position - 1, row.holder]))
  return bodies.map((body, position) => ({ id: holders.get(position) ?? null, ...body }))
}

/** The first object that a list of the body names by type and id. */
function firstEnd(body: JsonObject): { readonly type: string; readonly id: number } | undefined {
  for (const list of Object.values(body)) {
    const end = Array.isArray(list) ? list[0] : undefined
    if (!isJsonObject(end)) continue
    const { object_type: type, object_id: id } = end
    if (typeof type === 'string' && typeof id === 'number') return { type, id }
  }
  return undefined
}
