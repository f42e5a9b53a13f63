import type { Actor } from '../../identity/actor.ts'
import { permittedRowsOrNone } from '../../identity/permitted-rows.ts'
import { T } from '../../read/query/alias.ts'
import { displayOf } from '../../read/query/display.ts'
import type { Model } from '../../schema/registry.ts'
import type { Service } from '../../service.ts'
import { empty, sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { table } from '../../sql/table.ts'
import type { AffectedObject } from './dry-run.ts'

type Objects = ReadonlyMap<Model, { readonly size: number; keys(): Iterable<number> }>

/** The objects that exist in `queryable` and that the user of the write may view: display by id, by model. */
export async function visibleDisplays(
  { actor, service }: { readonly actor: Actor; readonly service: Service },
  queryable: Queryable,
  objects: Objects,
): Promise<ReadonlyMap<Model, ReadonlyMap<number, string>>> {
  // Objects of models without a collection are parts of other objects.
  const listed = [...objects].filter(([model, { size }]) => model.path !== '' && size > 0)
  const displays = listed.map(async ([model, objects]) => {
    const permitted = permittedRowsOrNone(actor, 'view', model, service.settings)
    const rows = await queryable.query<{ id: number; display: string }>(sql`
      select t.id, ${displayOf(model, T)} as display from ${table(model)} t
      where t.id = any(${[...objects.keys()]}::bigint[])${permitted === 'all' ? empty : sql` and ${permitted}`}`)
    return [model, new Map(rows.map(({ id, display }) => [id, display]))] as const
  })
  return new Map(await Promise.all(displays))
}

/** The objects in the order in which they were recorded, if `displays` has them. */
export const affectedObjects = (
  objects: Objects,
  displays: ReadonlyMap<Model, ReadonlyMap<number, string>>,
  fieldsOf?: (model: Model, id: number) => readonly string[],
): readonly AffectedObject[] =>
  [...objects].flatMap(([model, ids]) => {
    const displayById = displays.get(model)
    return [...ids.keys()].flatMap((id) => {
      const display = displayById?.get(id)
      if (display === undefined) return []
      return [{ type: model.name, id, display, ...(fieldsOf && { fields: fieldsOf(model, id) }) }]
    })
  })
