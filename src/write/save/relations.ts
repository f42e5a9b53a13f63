import type { JoinTable, Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { identifier, sql } from '../../sql/fragment.ts'
import { numberedInsert } from '../../sql/predicted-ids.ts'
import { deleteFrom, insertInto } from '../../sql/table.ts'
import type { WriteContext } from '../context.ts'
import { asIds } from '../rows.ts'
import type { Saved } from './insert-update.ts'

/** Saves the rows of join tables and of tags, for all changed many to many fields. */
export async function saveRelations(context: WriteContext, model: Model, changes: readonly Saved[]): Promise<void> {
  for (const [name, field] of model.fields) {
    if (field.kind !== 'manyToMany' && field.kind !== 'tags') continue
    const pairs = changes.flatMap(({ next, previous }) => {
      const [before, after] = [asIds(previous?.[name]), asIds(next[name])]
      return before.length === 0 && after.length === 0 ? [] : [{ id: next.id, before, after }]
    })
    if (pairs.length === 0) continue
    if (field.kind === 'tags') await saveTags(context, model.name, pairs)
    else {
      const relation = context.service.registry.joinTable(model, name, field)
      await saveJoinTable(context, relation, pairs)
    }
  }
}

async function saveJoinTable(
  { transaction }: WriteContext,
  relation: JoinTable,
  changes: readonly {
    readonly id: number
    readonly before: readonly number[]
    readonly after: readonly number[]
  }[],
): Promise<void> {
  const gone: (readonly [number, number])[] = []
  const fresh: (readonly [number, number])[] = []
  for (const { id, before, after } of changes) {
    const [was, will] = [new Set(before), new Set(after)]
    for (const targetId of was) if (!will.has(targetId)) gone.push([id, targetId])
    for (const targetId of will) if (!was.has(targetId)) fresh.push([id, targetId])
  }
  const [ownColumn, otherColumn] = [identifier(relation.ownColumn), identifier(relation.otherColumn)]
  const pairs = (list: readonly (readonly [number, number])[]) => sql`
    unnest(${list.map(([id]) => id)}::bigint[], ${list.map(([, id]) => id)}::bigint[]) as q(own, other)`
  if (gone.length > 0) {
    await transaction.execute(sql`
      ${deleteFrom(relation)} j using ${pairs(gone)}
      where j.${ownColumn} = q.own and j.${otherColumn} = q.other`)
  }
  if (fresh.length > 0) {
    await transaction.execute(sql`
      ${insertInto(relation)} (${ownColumn}, ${otherColumn})
      select q.own, q.other from ${pairs(fresh)} on conflict do nothing`)
  }
}

/** Makes the stored tags match those of the objects. */
async function saveTags(
  { transaction }: WriteContext,
  model: string,
  changes: readonly {
    readonly id: number
    readonly before: readonly number[]
    readonly after: readonly number[]
  }[],
): Promise<void> {
  const gone = changes.flatMap(({ id, before, after }) =>
    before.filter((tag) => !after.includes(tag)).map((tag) => [id, tag] as const),
  )
  const fresh = changes.flatMap(({ id, before, after }) =>
    after.filter((tag) => !before.includes(tag)).map((tag) => [id, tag] as const),
  )
  const pairs = (list: readonly (readonly [number, number])[]) => sql`
    unnest(${list.map(([id]) => id)}::bigint[], ${list.map(([, tag]) => tag)}::bigint[]) as q(object_id, tag_id)`
  if (gone.length > 0) {
    await transaction.execute(sql`
      ${deleteFrom(SYSTEM.taggedItem)} i using ${pairs(gone)}
      where i.object_type = ${model} and i.object_id = q.object_id and i.tag_id = q.tag_id`)
  }
  if (fresh.length > 0) {
    const id = numberedInsert(transaction, SYSTEM.taggedItem, fresh.length, sql`row_number() over ()`)
    await transaction.execute(sql`
      ${insertInto(SYSTEM.taggedItem)} (${id.column}object_type, object_id, tag_id)
      select ${id.value}${model}::text, q.object_id, q.tag_id from ${pairs(fresh)} on conflict do nothing`)
  }
}
