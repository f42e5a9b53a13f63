import { objectsIn } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import { identifier, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { isApplied } from '../../write/apply/document.ts'
import { identifyingEnds } from '../../write/apply/objects-by-ends.ts'
import type { WriteContext } from '../../write/context.ts'
import { loadRows, type StoredRow } from '../../write/rows.ts'
import type { Counterparts } from './counterparts.ts'
import { CREATED, creation, type Digests, digestsOfRow, digestsOfSource } from './digests.ts'
import { loadDigests, type MapEntry, storeEntries } from './import-map.ts'
import type { MatchedCollection } from './matching.ts'
import { ImportRefused } from './plan.ts'
import type { Meanings } from './references.ts'
import { isPart, type Source, type SourceRow, type SourceRows } from './source-rows.ts'
import { translated } from './translation.ts'

/** Which values win if an object has others here than at the source, and the source's are not merely newer. */
export type Preference = 'here' | 'source'

/** Values of the source that replace those of an object here. */
export interface Change {
  readonly model: Model
  readonly id: number
  readonly display: string
  /** Names as in digests. */
  readonly fields: readonly string[]
  /** The row of the source, with the ids here. */
  readonly row: Readonly<Record<string, unknown>>
  /** Bodies of fields that are stored elsewhere, such as the ends of a cable. */
  readonly inputs: Readonly<Record<string, unknown>>
}

/** Numbers of objects by what happens to them, and the first of them. */
export interface Comparison {
  readonly changes: readonly Change[]
  readonly equal: number
  readonly kept: number
  readonly examples: readonly string[]
}

interface ComparisonRun {
  readonly context: WriteContext
  readonly counterparts: Counterparts
  readonly rows: SourceRows
  readonly meanings: () => Meanings
  readonly prefer: Preference
}

const EXAMPLES = 5

/** Accounts are created and never changed: whoever changes them at the source would decide about rights here. */
export const isFollowed = (model: Model): boolean => isApplied(model) && model.app !== 'users'

/**
 * Compares the objects of the source that are here already with their rows here. A value that has changed at the source
 * since the last import, and not here, replaces the one here; all others stay. Stores what was compared.
 */
export async function compare(run: ComparisonRun, source: Source, matched: MatchedCollection): Promise<Comparison> {
  const { counterparts, rows } = run
  const { model } = source
  const changes: Change[] = []
  const examples: string[] = []
  let [equal, kept, shownMatches] = [0, 0, 0]
  if (!counterparts.isOccupied(model.name)) return { changes, equal, kept, examples }
  for await (const batch of rows.batches(source)) {
    const existing = batch.filter(({ placed: { row } }) => !counterparts.isCreated(model.name, row.id))
    if (isPart(model)) {
      equal += existing.length
      continue
    }
    const linked = existing.filter(({ placed: { row } }) => counterparts.local(model.name, row.id) !== undefined)
    for (const { sourceRow, change, keptFields } of await compareBatch(run, model, linked)) {
      const display = String(sourceRow.object.display ?? sourceRow.placed.row.id)
      if (change) changes.push(change)
      else if (keptFields.length > 0) kept += 1
      else equal += 1
      const id = sourceRow.placed.row.id
      if (keptFields.length > 0 && examples.length < EXAMPLES) {
        examples.push(`${display} keeps ${keptFields.join(', ')}`)
      } else if (change && examples.length < EXAMPLES) {
        examples.push(`${display} changes in ${change.fields.concat(Object.keys(change.inputs)).join(', ')}`)
      } else if (matched.matched.has(id) && shownMatches < EXAMPLES && model.path !== 'core/object-types') {
        shownMatches += 1
        examples.push(`${display} is ${counterparts.local(model.name, id)} here`)
      }
    }
  }
  return { changes, equal, kept, examples }
}

interface Compared {
  readonly sourceRow: SourceRow
  readonly change: Change | undefined
  readonly keptFields: readonly string[]
}

async function compareBatch(
  run: ComparisonRun,
  model: Model,
  batch: readonly SourceRow[],
): Promise<readonly Compared[]> {
  if (batch.length === 0) return []
  const { context, counterparts, prefer } = run
  const { transaction, service } = context
  const sourceIds = batch.map(({ placed }) => placed.row.id)
  const bases = await loadDigests(transaction, counterparts.source, model.name, sourceIds)
  const followed = isFollowed(model)
  const placed = followed
    ? await translated(
        counterparts,
        run.meanings(),
        model,
        batch.map((sourceRow) => sourceRow.placed),
      )
    : batch.map((sourceRow) => sourceRow.placed)
  const ends = followed ? sourceEnds(run, model, batch) : new Map<number, Ends>()
  const states = batch.map((sourceRow, index) => {
    const row = placed[index]?.row ?? sourceRow.placed.row
    const sourceId = sourceRow.placed.row.id
    const base = bases.get(sourceId)
    const theirs: Digests = followed
      ? { ...digestsOfSource(model, row, sourceRow.object), ...endDigests(ends.get(sourceId)) }
      : creation(model, sourceRow.placed.row, sourceRow.object)
    refuseOther(counterparts.source, model, sourceRow, base, theirs)
    const names = new Set([...Object.keys(theirs), ...Object.keys(base ?? {})])
    const differing = followed ? [...names].filter((name) => name !== CREATED && theirs[name] !== base?.[name]) : []
    const localId = counterparts.local(model.name, sourceId) ?? sourceId
    return { sourceRow, row, sourceId, localId, base, theirs, differing, isStored: bases.has(sourceId) }
  })
  const open = states.filter(({ differing, base }) => followed && (differing.length > 0 || !base))
  const openIds = open.map(({ localId }) => localId)
  const stored = new Map((await loadRows(service, transaction, model, openIds)).map((row) => [row.id, row]))
  const storedEnds = await localEnds(run, model, openIds)
  const entries: MapEntry[] = []
  const compared = states.map(({ sourceRow, row, sourceId, localId, base, theirs, differing, isStored }): Compared => {
    const local: StoredRow | undefined = stored.get(localId)
    const keptFields: string[] = []
    const taken: string[] = []
    const next: Record<string, string> = { ...(base ?? theirs) }
    if (local) {
      const ours: Digests = { ...digestsOfRow(model, local), ...endDigests(storedEnds.get(localId)) }
      const names = base ? differing : differing.concat(emptyAtSource(model, sourceRow, theirs, ours))
      for (const name of names) {
        const isAgreed = ours[name] === theirs[name]
        const isUnchangedHere = base && ours[name] === base[name]
        if (!isAgreed && !isUnchangedHere && prefer === 'here') {
          keptFields.push(name)
          continue
        }
        if (!isAgreed) taken.push(name)
        const digest = theirs[name]
        if (digest === undefined) delete next[name]
        else next[name] = digest
      }
    }
    const digests = Object.keys(next).length === 0 ? null : next
    if (!isStored || !sameDigests(base ?? null, digests)) entries.push({ sourceId, localId, digests })
    const sides = ends.get(sourceId) ?? {}
    const inputs = Object.fromEntries(taken.flatMap((name) => (name in sides ? [[name, sides[name]]] : [])))
    const fields = taken.filter((name) => !(name in inputs))
    const display = String(sourceRow.object.display ?? '')
    return {
      ...{ sourceRow, keptFields },
      change: taken.length > 0 ? { model, id: localId, display, fields, row, inputs } : undefined,
    }
  })
  await storeEntries(transaction, counterparts.source, model.name, entries)
  return compared
}

/** At the first meeting: values that exist only here, of fields that the source shows. */
const emptyAtSource = (model: Model, { object }: SourceRow, theirs: Digests, ours: Digests): readonly string[] =>
  Object.keys(ours).filter((name) => {
    if (theirs[name] !== undefined || name === CREATED) return false
    const [field = name] = name.split('.')
    return (
      object[field] !== undefined || object[`${field}_id`] !== undefined || model.fields.get(field)?.kind === 'tags'
    )
  })

const sameDigests = (left: Digests | null, right: Digests | null): boolean => {
  const [first, second] = [left ?? {}, right ?? {}]
  const names = new Set([...Object.keys(first), ...Object.keys(second)])
  return [...names].every((name) => first[name] === second[name])
}

/** An id that means another object than before: a source that was set up anew, or another one of the same name. */
function refuseOther(
  source: string,
  model: Model,
  { object, placed }: SourceRow,
  base: Digests | null | undefined,
  theirs: Digests,
): void {
  const [before, now] = [base?.[CREATED], theirs[CREATED]]
  if (before === undefined || now === undefined || before === now) return
  throw new ImportRefused(
    `The ${model.definition.labels[0]} ${placed.row.id} (${object.display ?? ''}) of ${source} is another object than the one that was imported before. If this is another service or data set, name it with --source.`,
  )
}

/** Bodies of the ends of cables, by the name of their field. */
type Ends = Readonly<Record<string, readonly { readonly object_type: string; readonly object_id: number }[]>>

export const endDigests = (ends: Ends | undefined): Digests =>
  Object.fromEntries(
    Object.entries(ends ?? {}).flatMap(([name, list]) =>
      list.length === 0
        ? []
        : [
            [
              name,
              list
                .map(({ object_type, object_id }) => `${object_type}:${object_id}`)
                .sort()
                .join(),
            ],
          ],
    ),
  )

const endField = (side: unknown): string => `${String(side).toLowerCase()}_terminations`

/** The ends of cables of the source, with the ids here, by id at the source. */
export function sourceEnds(
  { context, counterparts }: Pick<ComparisonRun, 'context' | 'counterparts'>,
  model: Model,
  batch: readonly SourceRow[],
): ReadonlyMap<number, Ends> {
  const bodies = new Map<number, Ends>()
  if (!identifyingEnds(model, context.service.registry)) return bodies
  for (const { object, placed } of batch) {
    const sides = ['A', 'B'].map(endField).filter((name) => object[name] !== undefined)
    const entries = sides.map((name) => {
      const list = objectsIn(object[name]).flatMap(({ object_type: type, object_id: id }) => {
        const local = typeof type === 'string' && typeof id === 'number' ? counterparts.local(type, id) : undefined
        return typeof type === 'string' && local !== undefined ? [{ object_type: type, object_id: local }] : []
      })
      return [name, list] as const
    })
    bodies.set(placed.row.id, Object.fromEntries(entries))
  }
  return bodies
}

async function localEnds({ context }: ComparisonRun, model: Model, ids: readonly number[]) {
  const sides = new Map<number, Record<string, { object_type: string; object_id: number }[]>>()
  const ends = identifyingEnds(model, context.service.registry)
  const side = ends?.part.definition.changeSide?.side
  if (!ends || side === undefined || ids.length === 0) return sides
  const [holder, type, id] = ends.columns.map((column) => identifier(column))
  const rows = await context.transaction.queryArrays(sql`
    select ${holder}, ${identifier(side)}, ${type}, ${id} from ${table(ends.part)}
    where ${holder} = any(${ids}::bigint[])`)
  for (const [cable, name, object_type, object_id] of rows) {
    const sideEnds = sides.get(Number(cable)) ?? {}
    const field = endField(name)
    sideEnds[field] = [...(sideEnds[field] ?? []), { object_type: String(object_type), object_id: Number(object_id) }]
    sides.set(Number(cable), sideEnds)
  }
  return sides
}
