import { isRefused } from '../../schema/outcome.ts'
import type { Registry } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Draft, TagWishes } from '../draft.ts'
import { parseReferences } from './reference-input.ts'

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
