import { ApiError } from '../../errors.ts'
import { isRefused } from '../../schema/outcome.ts'
import type { Registry } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { sql } from '../../sql/fragment.ts'
import { numberedInsert } from '../../sql/predicted-ids.ts'
import { deleteFrom, insertInto, table } from '../../sql/table.ts'
import type { WriteContext } from '../context.ts'
import type { Draft, TagWishes } from '../draft.ts'
import { parseReferences } from '../parse/reference-input.ts'

const WISHES = { tags: 'set', add_tags: 'add', remove_tags: 'remove' } as const

/**
 * `tags` replaces the whole set, `add_tags` and `remove_tags` change it. Clients generated for Java send all three, empty
 * unless they are set, so that only lists with tags contradict one another (NetBox 4.6.8).
 */
export function parseTags(registry: Registry, draft: Draft, inputOf: (name: string) => unknown): void {
  const filled = new Set<string>()
  for (const [name, wish] of Object.entries(WISHES)) {
    const input = inputOf(name)
    if (input === undefined || (input === null && wish !== 'set')) continue
    draft.sent.add(name)
    const items = parseReferences('idOrAttributes', input)
    if (isRefused(items)) {
      draft.errors.set(name, items.refused)
      continue
    }
    if (items.length > 0) filled.add(name)
    draft.references.push({
      to: registry.model(SYSTEM.tag),
      items,
      settle: (ids) => {
        draft.tags[wish as keyof TagWishes] = ids
      },
      refuse: (messages) => draft.errors.set(name, messages),
    })
  }
  if (filled.has('tags') && (filled.has('add_tags') || filled.has('remove_tags'))) {
    draft.errors.set('tags', ['tags cannot be sent together with add_tags or remove_tags.'])
  }
  if (draft.mode === 'create' && filled.has('remove_tags')) {
    draft.errors.set('remove_tags', ['Tags cannot be removed from a new object.'])
  }
}

/** Sets `next.tags` to the object's new set of tags, after the tags were resolved. */
export function settleTags(drafts: readonly Draft[]): void {
  for (const { next, tags, errors } of drafts) {
    const { set, add = [], remove = [] } = tags
    if (add.some((id) => remove.includes(id))) {
      errors.set('remove_tags', ['A tag cannot be added and removed at once.'])
      continue
    }
    if (!set && add.length === 0 && remove.length === 0) continue
    const before = (next.tags ?? []) as readonly number[] // kept by rows.ts
    const kept = (set ?? before).filter((id) => !remove.includes(id))
    next.tags = [...new Set([...kept, ...add])]
  }
}

/** Throws for a tag that is restricted to other object types. */
export async function refuseRestrictedTags(
  { transaction, service }: WriteContext,
  drafts: readonly Draft[],
): Promise<void> {
  const added = new Set(drafts.flatMap(({ tags }) => [...(tags.set ?? []), ...(tags.add ?? [])]))
  const model = drafts[0]?.model.name
  if (added.size === 0 || !model || !service.registry.model(SYSTEM.tag).fields.has('object_types')) return
  const [restricted] = await transaction.query<{ name: string }>(sql`
    select name from ${table(SYSTEM.tag)}
    where id = any(${[...added]}::bigint[]) and object_types <> '{}' and not ${model} = any(object_types)
    limit 1`)
  if (!restricted) return
  const detail = `The tag ${restricted.name} cannot be assigned to objects of type ${model}.`
  throw new ApiError({ kind: 'malformed', detail })
}

/** Makes the stored tags match those of the objects. */
export async function saveTags(
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
