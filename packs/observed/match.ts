/** Finds the objects of the inventory that observed objects are. */
import type { Model, StoredObjects } from 'cadastre'
import { Reference, References, relationValues, slugFor, type Values } from './entities.ts'
import { hasValue, isWeak, keysOf } from './keys.ts'
import { levels } from './levels.ts'

/** What is known about an observed object before it is matched. */
export interface Unmatched {
  readonly kind: string
  readonly key: string
  readonly values: Values
  readonly sourceMatch?: number | undefined
}

/** The object, and the fields by which it was found; or several that it may be. */
export type Match =
  | { readonly id: number; readonly by: string }
  | { readonly candidates: readonly number[]; readonly by: string }

/** Ids of matched objects, by the keys of the observed ones. */
export type Known = Map<string, number>

/** The value of a path: `primary_ip4.address` leads to the values of another observed object. */
type ValueAt = (values: Values, path: string) => unknown

interface MatchOptions {
  /**
   * Whose token has sent the objects: they match only what the user may view, and do not match what they may be, because
   * the user says what is new.
   */
  readonly user: number | null
  readonly known: Known
  /** Fields whose values are no observations: `dcim.device.site`. */
  readonly defaults: ReadonlySet<string>
  /** Values of further observed objects to which these refer. */
  readonly others: ReadonlyMap<string, Values>
  /** Objects that other observed objects of the source are, by type and id. */
  readonly claimed?: ReadonlySet<string>
}

/**
 * Matches the objects, those first that others refer to, and adds them to `known`. One query for each type and key.
 */
export async function matchAll(
  stored: StoredObjects,
  unmatched: readonly Unmatched[],
  { user, known, defaults, others, claimed = new Set() }: MatchOptions,
): Promise<ReadonlyMap<string, Match>> {
  const finder = user === null ? stored : await stored.findableBy(user)
  const byKey = new Map(unmatched.map((object) => [object.key, object]))
  const valuesOf = (key: string): Values | undefined => byKey.get(key)?.values ?? others.get(key)
  const valueAt: ValueAt = (values, path) => {
    const [name = '', inner] = path.split('.')
    const value = values[name]
    if (inner === undefined) return value
    return value instanceof Reference ? valuesOf(value.ref)?.[inner] : undefined
  }
  const matches = new Map<string, Match>()
  for (const level of inOrder(stored, unmatched, byKey)) {
    for (const [kind, objects] of Map.groupBy(level, (object) => object.kind)) {
      for (const [key, match] of await matchKind(stored, kind, objects, {
        finder,
        known,
        defaults,
        valueAt,
        claimed,
      })) {
        matches.set(key, match)
        if ('id' in match) known.set(key, match.id)
      }
    }
  }
  return matches
}

/** The objects in the order in which they can be matched: each after those that are part of its keys. */
const inOrder = (
  { registry }: StoredObjects,
  unmatched: readonly Unmatched[],
  byKey: ReadonlyMap<string, Unmatched>,
): readonly (readonly Unmatched[])[] =>
  levels(unmatched, ({ kind, values }) => {
    const names = new Set(
      keysOf(registry.model(kind))
        .flat()
        .map((name) => name.replace('?', '')),
    )
    return [...names].flatMap((name) => {
      const value = values[name]
      return value instanceof Reference ? (byKey.get(value.ref) ?? []) : []
    })
  })

interface KindOptions extends Omit<Required<MatchOptions>, 'others' | 'user'> {
  readonly finder: Pick<StoredObjects, 'find'>
  readonly valueAt: ValueAt
}

async function matchKind(
  stored: StoredObjects,
  kind: string,
  objects: readonly Unmatched[],
  { finder, known, defaults, valueAt, claimed }: KindOptions,
): Promise<ReadonlyMap<string, Match>> {
  const model = stored.registry.model(kind)
  const matches = new Map<string, Match>()
  const claims = new Set<number>()
  let open = objects
  for (const names of [['id'], ...keysOf(model)]) {
    const sought = open.flatMap((object) => {
      const values =
        names[0] === 'id' ? { id: object.sourceMatch } : { ...slugFor(model, object.values), ...object.values }
      const attributes = attributesOf(model, names, values, known, valueAt)
      return attributes ? [{ object, attributes, isWeak: isWeak(kind, names, object.values, defaults) }] : []
    })
    if (sought.length === 0) continue
    // An id is one that the program was told, or that it may write.
    const foundIds = await (names[0] === 'id' ? stored : finder).find(
      kind,
      sought.map(({ attributes }) => attributes),
    )
    const by = names.map((name) => name.replace('?', '')).join(', ')
    sought.forEach(({ object, isWeak }, index) => {
      const [id, second] = foundIds[index] ?? []
      if (id === undefined) return
      const candidates = [id, ...(second === undefined ? [] : [second])]
      const isClaimed = claims.has(id) || claimed.has(`${kind} ${id}`)
      if (candidates.length === 1 && !isWeak && !isClaimed) {
        claims.add(id)
        matches.set(object.key, { id, by })
      } else if (finder === stored && !matches.has(object.key)) matches.set(object.key, { candidates, by })
    })
    open = open.filter(({ key }) => !('id' in (matches.get(key) ?? {})))
    if (open.length === 0) break
  }
  return matches
}

/** The key as attributes of the inventory; undefined if the object lacks a value, or refers to an unmatched object. */
function attributesOf(
  model: Model,
  names: readonly string[],
  values: Values,
  known: Known,
  valueAt: ValueAt,
): Readonly<Record<string, unknown>> | undefined {
  const attributes: Record<string, unknown> = {}
  for (const name of names) {
    const path = name.replace('?', '')
    const value = valueAt(values, path)
    if (!hasValue(value)) {
      if (name === path) return undefined
      Object.assign(attributes, relationValues(model, path, undefined))
    } else if (value instanceof References) return undefined
    else if (value instanceof Reference) {
      const id = known.get(value.ref)
      if (id === undefined) return undefined
      Object.assign(attributes, relationValues(model, path, { type: value.kind, id }))
    } else if (path.includes('.')) {
      const [relation = '', inner = ''] = path.split('.')
      attributes[relation] = { [inner]: value }
    } else attributes[path] = value
  }
  return attributes
}
