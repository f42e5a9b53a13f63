import type { Json } from '../../src/schema/json.ts'

/** What happens to an object when another one, to which it refers, is deleted. */
export type Hold = 'deleted' | 'protects' | 'cleared'

/** Key of an object: its kind and id. */
export type Key = string

/** An object as the specification of merges sees it. */
export interface Item {
  readonly values: Readonly<Record<string, Json>>
  readonly references: Readonly<Record<string, Key | null>>
  /** Tags, one by one. */
  readonly tags: ReadonlySet<Key>
}

export type State = ReadonlyMap<Key, Item>
export type Keep = 'mine' | 'theirs'

export interface Merge {
  readonly base: State
  readonly main: State
  readonly branch: State
  /** What the deletion of the target of the reference does to the object. */
  readonly holdOf: (key: Key, reference: string) => Hold
  /** The decision about a conflict: about a field, or null for the object as a whole. */
  readonly decide: (key: Key, field: string | null) => Keep
  /** Whether main has deleted both objects with one request. */
  readonly areDeletedTogether: (one: Key, other: Key) => boolean
}

/** The state of main after a merge. Restored: objects that main had deleted; their values are not specified. */
export interface Merged {
  readonly state: State
  readonly restored: ReadonlySet<Key>
}

/**
 * What a merge makes of main: three values of each field and reference, tags one by one, objects as a whole with what
 * belongs to them, and references to objects that the other side has deleted.
 */
export function merged(merge: Merge): Merged {
  const { base, main, branch, decide, holdOf, areDeletedTogether } = merge
  const state = new Map<Key, Item>()
  const deleted = new Set<Key>()
  const restored = new Set<Key>()
  for (const key of new Set([...base.keys(), ...main.keys(), ...branch.keys()])) {
    const [was, theirs, mine] = [base.get(key), main.get(key), branch.get(key)]
    if (!was) {
      const only = mine ?? theirs
      if (only) state.set(key, only)
    } else if (theirs && mine) state.set(key, mergedItem(merge, key, [was, theirs, mine]))
    else if (theirs) deleted.add(key)
    else if (mine && isChanged(was, mine) && decide(key, null) === 'mine') restored.add(key)
  }
  keepDeleted(merge, state, deleted)
  deleteReferring(merge, state, deleted)

  const restore = (key: Key) => {
    const item = branch.get(key) ?? base.get(key)
    if (main.has(key) || state.has(key) || !item) return
    state.set(key, item)
    restored.add(key)
    for (const [part, { references }] of base) {
      const isPart = Object.entries(references).some(([name, to]) => to === key && holdOf(part, name) === 'deleted')
      if (isPart && areDeletedTogether(key, part)) restore(part)
    }
  }
  for (const key of [...restored]) restore(key)
  const missing = [...state].flatMap(([key, item]) =>
    Object.entries(item.references).flatMap(([name, to]) => (to && !state.has(to) ? [{ key, name, to }] : [])),
  )
  const kept = missing.filter(({ key, name }) => decide(key, name) === 'mine')
  for (const { to } of kept) restore(to)
  for (const { key, name, to } of missing) if (!state.has(to)) withoutReference(merge, state, key, name)
  return { state: withPresentTags(state, restored, branch), restored }
}

/** The three states of one object; tags do not conflict. */
function mergedItem({ decide }: Merge, key: Key, [was, theirs, mine]: readonly [Item, Item, Item]): Item {
  const choose = <T extends Json>(part: 'values' | 'references') =>
    Object.fromEntries(
      Object.keys(was[part]).map((field) => {
        const [before, now, own] = [was[part][field], theirs[part][field], mine[part][field]]
        const value = own === before || own === now ? now : now === before || decide(key, field) === 'mine' ? own : now
        return [field, (value ?? null) as T]
      }),
    )
  const tags = [...theirs.tags, ...mine.tags].filter((tag) =>
    was.tags.has(tag) ? theirs.tags.has(tag) && mine.tags.has(tag) : true,
  )
  return { values: choose<Json>('values'), references: choose<Key | null>('references'), tags: new Set(tags) }
}

/** Leaves out deletions that are decided for main, with those of the object's parts and of what it needs. */
function keepDeleted({ base, main, branch, decide, holdOf }: Merge, state: Map<Key, Item>, deleted: Set<Key>): void {
  const kept = [...deleted].filter((key) => {
    const [was, theirs] = [base.get(key), main.get(key)]
    const isWanted = [...state.values()].some(({ references }) => Object.values(references).includes(key))
    return was && theirs && (isWanted || isChanged(was, theirs)) && decide(key, null) === 'theirs'
  })
  for (const key of kept) {
    if (!deleted.delete(key)) continue
    const item = main.get(key)
    if (!item) continue
    state.set(key, item)
    kept.push(
      ...Object.values(item.references)
        .filter((to) => to !== null && deleted.has(to))
        .map(String),
    )
    for (const other of deleted) {
      const references = Object.entries(main.get(other)?.references ?? {})
      if (references.some(([name, to]) => to === key && holdOf(other, name) === 'deleted')) kept.push(other)
    }
  }
  for (const [key, item] of state) {
    const [theirs, mine] = [main.get(key), branch.get(key)]
    if (!theirs || !mine) continue
    const cleared = Object.entries(theirs.references).filter(
      ([name, to]) => to && kept.includes(to) && mine.references[name] === null && item.references[name] === null,
    )
    const tags = [...theirs.tags].filter((tag) => kept.includes(tag))
    state.set(key, {
      ...item,
      references: { ...item.references, ...Object.fromEntries(cleared) },
      tags: new Set([...item.tags, ...tags]),
    })
  }
}

/** Deletes or clears what main has of references to what the branch deletes. */
function deleteReferring(merge: Merge, state: Map<Key, Item>, deleted: Set<Key>): void {
  for (const gone of deleted) {
    for (const [key, item] of state) {
      for (const [name, to] of Object.entries(item.references)) {
        if (to !== gone) continue
        if (merge.holdOf(key, name) === 'cleared') state.set(key, withValue(item, name, null))
        else {
          state.delete(key)
          deleted.add(key)
        }
      }
    }
  }
}

/** An object whose reference stays without its target: cleared, as main has it, or left out. */
function withoutReference(merge: Merge, state: Map<Key, Item>, key: Key, name: string): void {
  const [item, theirs] = [state.get(key), merge.main.get(key)]
  if (!item) return
  if (theirs) state.set(key, withValue(item, name, theirs.references[name] ?? null))
  else if (merge.holdOf(key, name) === 'cleared') state.set(key, withValue(item, name, null))
  else {
    state.delete(key)
    for (const [other, { references }] of [...state])
      for (const [each, to] of Object.entries(references)) if (to === key) withoutReference(merge, state, other, each)
  }
}

const withValue = (item: Item, name: string, to: Key | null): Item => ({
  ...item,
  references: { ...item.references, [name]: to },
})

/** Objects have only tags that exist, and again those that are restored. */
const withPresentTags = (state: State, restored: ReadonlySet<Key>, branch: State): State =>
  new Map(
    [...state].map(([key, item]) => {
      const again = [...(branch.get(key)?.tags ?? [])].filter((tag) => restored.has(tag))
      return [key, { ...item, tags: new Set([...item.tags, ...again].filter((tag) => state.has(tag))) }]
    }),
  )

const isChanged = (one: Item, other: Item): boolean =>
  JSON.stringify([one.values, one.references]) !== JSON.stringify([other.values, other.references])
