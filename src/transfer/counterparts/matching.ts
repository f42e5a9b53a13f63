import { genericKeys } from '../../schema/generic-keys.ts'
import { objectsIn } from '../../schema/json.ts'
import { ignoresCase, keyOfObject, keysInOrder, type NaturalKey, naturalKeys } from '../../schema/natural-key.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { identifier, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { isIdentifiedByOwn } from '../../write/apply/identify.ts'
import { type Ends, identifyingEnds } from '../../write/apply/objects-by-ends.ts'
import type { WriteContext } from '../../write/context.ts'
import { visibleDisplays } from '../../write/dry-run/affected-objects.ts'
import { isMatchable, matchObjects } from '../../write/upsert/match.ts'
import { readLines } from '../read-lines.ts'
import type { Counterparts } from './counterparts.ts'
import { CREATED, creation, creationField } from './digests.ts'
import type { Ambiguity } from './plan.ts'
import type { Meanings } from './references.ts'
import { embeddedRows, holderOf, isPart, type Source, type SourceRow, type SourceRows } from './source-rows.ts'
import { identifyingRow } from './translation.ts'

/** A person's decision about an object of the source: the id of its counterpart here, or a new object. */
export type Choices = ReadonlyMap<string, number | 'new'>

/** Key of a decision: `dcim.site:7`. */
const choiceKey = (model: string, sourceId: number): string => `${model}:${sourceId}`

interface MatchingRun {
  readonly context: WriteContext
  readonly counterparts: Counterparts
  readonly rows: SourceRows
  readonly meanings: () => Meanings
  readonly choices: Choices
}

/** Name of the field with the time of the last save. */
const SAVED = 'last_updated'

/** What was found out about a collection. */
export interface MatchedCollection {
  readonly rows: number
  /** Objects that were here before, by id at the source. */
  readonly matched: ReadonlySet<number>
}

/**
 * Finds the counterparts here of all objects of the source: those that an earlier import has stored; objects with the
 * same id and the same time of creation; objects with the same natural key. All others will be created.
 */
export class Matching {
  readonly ambiguous: Ambiguity[] = []
  readonly #run: MatchingRun
  readonly #claimed = new Map<string, Set<number>>()

  constructor(run: MatchingRun) {
    this.#run = run
  }

  async match(source: Source): Promise<MatchedCollection> {
    const { counterparts, rows } = this.#run
    const { model } = source
    const ids = await this.#idsOf(source)
    const matched = new Set<number>()
    const isNested = model.behaviour?.unfold !== undefined
    if (!counterparts.isOccupied(model.name) && !isNested) return { rows: ids.size, matched }
    this.#claimed.set(model.name, counterparts.claimedBy(model.name, ids))
    const waiting: SourceRow[] = []
    for await (const batch of rows.batches(source)) {
      await this.#embedded(model, batch)
      if (!counterparts.isOccupied(model.name)) continue
      const unmatched = isPart(model) ? await this.#parts(model, batch) : await this.#known(model, batch, matched)
      if (isIdentifiedByOwn(model)) waiting.push(...unmatched)
      else await this.#byKey(model, unmatched, matched)
    }
    await this.#levels(model, waiting, matched)
    return { rows: ids.size, matched }
  }

  async #idsOf({ collection, model }: Source): Promise<ReadonlySet<number>> {
    const ids = new Set<number>()
    for await (const { object } of readLines(collection.path, collection.file)) {
      if (typeof object.id !== 'number') continue
      ids.add(object.id)
      this.#run.counterparts.noteHighest(model.name, object.id)
    }
    return ids
  }

  /** Objects with ids of their own that only others show, such as the files of scripts. */
  async #embedded(model: Model, batch: readonly SourceRow[]): Promise<void> {
    const { unfold } = model.behaviour ?? {}
    if (!unfold) return
    const { counterparts, context } = this.#run
    const unfolded = batch.flatMap((sourceRow) => embeddedRows(unfold, sourceRow))
    for (const [name, list] of Map.groupBy(unfolded, (embedded) => embedded.model)) {
      const distinct = new Map(list.map(({ placed }) => [placed.row.id, { placed, object: {} }]))
      const unknown = [...distinct.values()].filter(
        ({ placed: { row } }) => row.id > 0 && counterparts.local(name, row.id) === undefined,
      )
      await this.#byKey(context.service.registry.model(name), unknown, new Set())
    }
  }

  /** Parts of objects, such as the ends of cables, come with the objects that are created. */
  async #parts(model: Model, batch: readonly SourceRow[]): Promise<readonly SourceRow[]> {
    const { counterparts } = this.#run
    const created = batch.filter(({ placed: { row } }) => {
      const holder = holderOf(model, row)
      return holder && counterparts.isCreated(holder.type, holder.id)
    })
    await counterparts.create(
      model,
      created.map(({ placed }) => placed.row.id),
    )
    return []
  }

  /** Matches the rows whose counterparts are known without their keys; returns the others. */
  async #known(model: Model, batch: readonly SourceRow[], matched: Set<number>): Promise<readonly SourceRow[]> {
    const { counterparts, choices } = this.#run
    const claimed = this.#claimedOf(model)
    const unmatched: SourceRow[] = []
    const stored: number[] = []
    const created: number[] = []
    for (const sourceRow of batch) {
      const { id } = sourceRow.placed.row
      const choice = choices.get(choiceKey(model.name, id))
      if (choice === 'new') created.push(id)
      else if (choice !== undefined) {
        counterparts.match(model.name, id, choice)
        claimed.add(choice)
        matched.add(id)
      } else if (counterparts.local(model.name, id) !== undefined) stored.push(id)
      else unmatched.push(sourceRow)
    }
    const existing = await this.#existing(
      model,
      stored.map((id) => counterparts.local(model.name, id) ?? id),
    )
    // An object that has been deleted here is created again, with the id that it had.
    await counterparts.create(model, [
      ...created,
      ...stored.filter((id) => !existing.has(counterparts.local(model.name, id) ?? id)),
    ])
    const same = await this.#sameCreation(model, unmatched)
    return unmatched.filter(({ placed: { row } }) => {
      if (!same.has(row.id) || claimed.has(row.id)) return true
      counterparts.match(model.name, row.id, row.id)
      claimed.add(row.id)
      matched.add(row.id)
      return false
    })
  }

  async #existing(model: Model, ids: readonly number[]): Promise<ReadonlySet<number>> {
    if (ids.length === 0) return new Set()
    const rows = await this.#run.context.transaction.queryColumn(
      sql`select id from ${table(model)} where id = any(${ids}::bigint[])`,
    )
    return new Set(rows.map(Number))
  }

  /** Ids that belong to objects with the same time of creation here: databases that were imported without a map. */
  async #sameCreation(model: Model, rows: readonly SourceRow[]): Promise<ReadonlySet<number>> {
    const field = creationField(model)
    if (field === undefined) return new Set()
    const saved = model.fields.get(SAVED)?.kind === 'dateTime' ? SAVED : field
    const times = new Map(
      rows.flatMap(({ placed: { row }, object }) => {
        const time = creation(model, row, object)[CREATED]
        return time === undefined ? [] : [[row.id, { time, row }] as const]
      }),
    )
    if (times.size === 0) return new Set()
    const stored = await this.#run.context.transaction.query<
      Readonly<Record<'created' | 'saved', string>> & { id: number }
    >(
      sql`select id, ${identifier(field)} as created, ${identifier(saved)} as saved from ${table(model)}
        where id = any(${[...times.keys()]}::bigint[])`,
    )
    return new Set(
      stored.flatMap(({ id, created, saved: lastSaved }) => {
        const theirs = times.get(id)
        if (creation(model, { [field]: created })[CREATED] !== theirs?.time) return []
        // Old versions stored only the day, which many objects share.
        const isDay = created.includes('T00:00:00')
        return !isDay || (saved !== field && theirs?.row[saved] === lastSaved) ? [id] : []
      }),
    )
  }

  /** Rows that are identified by rows of the same model: parents before their children. */
  async #levels(model: Model, rows: readonly SourceRow[], matched: Set<number>): Promise<void> {
    const { counterparts } = this.#run
    const parents = [...model.fields].flatMap(([name, field]) =>
      field.kind === 'foreignKey' && field.to === model.name ? [name] : [],
    )
    const open = new Map(rows.map((row) => [row.placed.row.id, row]))
    while (open.size > 0) {
      const ready = [...open.values()].filter(({ placed: { row } }) =>
        parents.every((name) => typeof row[name] !== 'number' || !open.has(row[name])),
      )
      if (ready.length === 0) break
      await this.#byKey(model, ready, matched)
      for (const { placed } of ready) open.delete(placed.row.id)
    }
    // Their parents form a circle, which is reported when they are created.
    await counterparts.create(model, [...open.keys()])
  }

  async #byKey(model: Model, rows: readonly SourceRow[], matched: Set<number>): Promise<void> {
    if (rows.length === 0) return
    if (model.name === SYSTEM.objectType) return await this.#objectTypes(model, rows, matched)
    const ends = identifyingEnds(model, this.#run.context.service.registry)
    if (ends) return await this.#byEnds(model, ends, rows, matched)
    const { counterparts } = this.#run
    const keyed = new Map<string, KeyedRow[]>()
    const created: number[] = []
    const identifying = keyFields(model)
    for (const sourceRow of rows) {
      const { row } = sourceRow.placed
      const local = identifyingRow(counterparts, this.#run.meanings(), model, row, (name) => identifying.has(name))
      const names = local && keyOfObject(model, local)
      if (local && names?.every((name) => isMatchable(model, name))) {
        const signature = names.join()
        keyed.set(signature, [...(keyed.get(signature) ?? []), { sourceRow, local }])
      } else created.push(row.id)
    }
    for (const [signature, list] of keyed) {
      const missing = await this.#matchBy(model, signature.split(','), list, matched)
      const taken = await this.#refuseTaken(model, signature, missing)
      created.push(...missing.flatMap(({ local }) => (taken.has(local.id) ? [] : [local.id])))
    }
    await counterparts.create(model, created)
  }

  /** Looks for the objects here with the values of these fields: once for all rows that have the same. */
  async #lookUp(model: Model, names: readonly string[], rows: readonly KeyedRow[]) {
    const groups = [...Map.groupBy(rows, ({ local }) => keyText(model, names, local)).values()]
    const bodies = groups.map(([first]) => bodyOf(names, first?.local ?? {}))
    const results = await matchObjects(this.#run.context, model, bodies, names)
    return groups.map((group, index) => ({ rows: group, result: results[index] }))
  }

  /** Matches rows by the values of these fields; returns those without a counterpart. */
  async #matchBy(
    model: Model,
    names: readonly string[],
    rows: readonly KeyedRow[],
    matched: Set<number>,
  ): Promise<readonly KeyedRow[]> {
    const { counterparts } = this.#run
    const claimed = this.#claimedOf(model)
    const missing: KeyedRow[] = []
    for (const { rows: equal, result } of await this.#lookUp(model, names, rows)) {
      const isUnclear = (result && 'messages' in result && result.candidates) || equal.length > 1
      const group = isUnclear ? await this.#matchByKeyAndId(model, names, equal, matched) : equal
      if (group.length === 0) continue
      if (result && 'messages' in result && result.candidates) {
        await this.#ambiguous(model, group, `several objects here have the same ${spoken(names)}`, result.candidates)
        continue
      }
      const id = result && 'id' in result ? result.id : undefined
      const [first] = group
      if (id === undefined || claimed.has(id)) missing.push(...group)
      else if (group.length > 1) {
        await this.#ambiguous(model, group, `several objects of the source have the same ${spoken(names)}`, [id])
      } else if (first) {
        counterparts.match(model.name, first.local.id, id)
        claimed.add(id)
        matched.add(first.local.id)
      }
    }
    return missing
  }

  /** Matches rows that share their key with others, if an object here has the same id too; returns the rest. */
  async #matchByKeyAndId(
    model: Model,
    names: readonly string[],
    rows: readonly KeyedRow[],
    matched: Set<number>,
  ): Promise<readonly KeyedRow[]> {
    const { context, counterparts } = this.#run
    const claimed = this.#claimedOf(model)
    const keys = [...names, 'id']
    const bodies = rows.map(({ local }) => bodyOf(keys, local))
    const results = await matchObjects(context, model, bodies, keys)
    return rows.filter(({ local: { id } }, index) => {
      const result = results[index]
      if (!result || !('id' in result) || result.id === undefined || claimed.has(id)) return true
      counterparts.match(model.name, id, id)
      claimed.add(id)
      matched.add(id)
      return false
    })
  }

  /** Rows that cannot be created because another unique value is in use here: a person decides. */
  async #refuseTaken(model: Model, signature: string, rows: readonly KeyedRow[]): Promise<ReadonlySet<number>> {
    const taken = new Set<number>()
    const claimed = this.#claimedOf(model)
    for (const key of naturalKeys(model)) {
      const names = [...new Set([...key.fields, ...key.absent])]
      if (names.join() === signature || !names.every((name) => isMatchable(model, name))) continue
      const applicable = rows.filter(({ local }) => !taken.has(local.id) && applies(key, local))
      if (applicable.length === 0) continue
      for (const { rows: group, result } of await this.#lookUp(model, names, applicable)) {
        const id = result && 'id' in result ? result.id : undefined
        if (id === undefined || claimed.has(id)) continue
        await this.#ambiguous(model, group, `another object here has the same ${spoken(names)}`, [id])
        for (const { local } of group) taken.add(local.id)
      }
    }
    return taken
  }

  /** Cables are the same if they have the same ends. */
  async #byEnds(model: Model, ends: Ends, rows: readonly SourceRow[], matched: Set<number>): Promise<void> {
    const { counterparts, context } = this.#run
    const [holder, type, id] = ends.columns.map((column) => identifier(column))
    const created: number[] = []
    const withEnds = rows.map((sourceRow) => {
      const list = Object.values(sourceRow.object).flatMap((value) =>
        objectsIn(value).flatMap(({ object_type: to, object_id: end }) =>
          typeof to === 'string' && typeof end === 'number' ? [{ to, end }] : [],
        ),
      )
      const here = list.flatMap(({ to, end }) => {
        const local = counterparts.isCreated(to, end) ? undefined : counterparts.local(to, end)
        return local === undefined ? [] : [{ to, local }]
      })
      return { sourceRow, count: list.length, here }
    })
    const flat = withEnds.flatMap(({ here }, position) => here.map((end) => ({ ...end, position })))
    const holders = await context.transaction.query<{ position: number; holder: number; ends: number }>(sql`
      select q.position::int as position, p.${holder} as holder,
        (select count(*)::int from ${table(ends.part)} o where o.${holder} = p.${holder}) as ends
      from unnest(${flat.map(({ position }) => position)}::int[], ${flat.map(({ to }) => to)}::text[],
        ${flat.map(({ local }) => local)}::bigint[]) as q (position, type, id)
      join ${table(ends.part)} p on p.${type} = q.type and p.${id} = q.id`)
    const byPosition = Map.groupBy(holders, ({ position }) => position)
    for (const [position, { sourceRow, count }] of withEnds.entries()) {
      const candidates = byPosition.get(position) ?? []
      const [first] = candidates
      const sourceId = sourceRow.placed.row.id
      const isSame = first && candidates.every((row) => row.holder === first.holder)
      if (!first) created.push(sourceId)
      else if (isSame && candidates.length === count && first.ends === count) {
        counterparts.match(model.name, sourceId, first.holder)
        matched.add(sourceId)
      } else {
        const holders = [...new Set(candidates.map((row) => row.holder))]
        const group = [{ sourceRow, local: sourceRow.placed.row }]
        await this.#ambiguous(model, group, 'its ends are connected otherwise here', holders)
      }
    }
    await counterparts.create(model, created)
  }

  async #objectTypes(model: Model, rows: readonly SourceRow[], matched: Set<number>): Promise<void> {
    const { counterparts, context } = this.#run
    const stored = await context.transaction.queryArrays(sql`select app_label, model, id from ${table(model)}`)
    const ids = new Map(stored.map(([app, name, id]) => [`${app}.${name}`, Number(id)]))
    const created: number[] = []
    for (const { placed } of rows) {
      const id = ids.get(`${placed.row.app_label}.${placed.row.model}`)
      if (id === undefined) created.push(placed.row.id)
      else {
        counterparts.match(model.name, placed.row.id, id)
        matched.add(placed.row.id)
      }
    }
    await counterparts.create(model, created)
  }

  async #ambiguous(model: Model, rows: readonly KeyedRow[], reason: string, ids: readonly number[]): Promise<void> {
    const { context } = this.#run
    const displays = await visibleDisplays(context, context.transaction, new Map([[model, new Set(ids)]]))
    const candidates = ids.map((id) => ({ id, display: displays.get(model)?.get(id) ?? String(id) }))
    for (const { sourceRow, local } of rows) {
      const { display } = sourceRow.object
      this.ambiguous.push({
        ...{ model: model.name, sourceId: local.id, reason, candidates },
        display: typeof display === 'string' ? display : '',
      })
    }
  }

  #claimedOf({ name }: Model): Set<number> {
    const claimed = this.#claimed.get(name) ?? new Set()
    this.#claimed.set(name, claimed)
    return claimed
  }
}

/** A row with the ids here in the fields that identify it, and its own id at the source. */
interface KeyedRow {
  readonly sourceRow: SourceRow
  readonly local: Readonly<Record<string, unknown>> & { readonly id: number }
}

const bodyOf = (names: readonly string[], row: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(names.map((name) => [name, (row[name] ?? null) as string | number | null])) // values of key fields

const keyText = (model: Model, names: readonly string[], row: Readonly<Record<string, unknown>>): string =>
  JSON.stringify(
    names.map((name) => {
      const value = row[name] ?? null
      return typeof value === 'string' && ignoresCase(model, name) ? value.toLowerCase() : value
    }),
  )

const applies = ({ fields, absent }: NaturalKey, row: Readonly<Record<string, unknown>>): boolean =>
  fields.every((name) => (row[name] ?? '') !== '') && absent.every((name) => (row[name] ?? null) === null)

const spoken = (names: readonly string[]): string => names.join(', ')

/** Names of the columns of all keys of the model. */
export const keyFields = (model: Model): ReadonlySet<string> =>
  new Set([...keysInOrder(model), ...naturalKeys(model)].flatMap(({ fields, absent }) => [...fields, ...absent]))

/** The collections so that each comes after those whose objects identify its objects; parts come last. */
export function inKeyOrder(
  sources: readonly Source[],
  targetsOf: (model: Model) => Iterable<Model>,
): readonly Source[] {
  const byModel = new Map(sources.map((source) => [source.model, source]))
  const ordered = new Set<Source>()
  const open = new Set<Source>()
  const visit = (source: Source): void => {
    if (ordered.has(source) || open.has(source)) return
    open.add(source)
    for (const target of targetsOf(source.model)) {
      const needed = byModel.get(target)
      if (needed) visit(needed)
    }
    ordered.add(source)
  }
  for (const source of sources.filter(({ model }) => !isPart(model))) visit(source)
  for (const source of sources.filter(({ model }) => isPart(model))) visit(source)
  return [...ordered]
}

/** Models whose objects identify objects of the model. */
export function* identifyingModels({ registry }: Pick<Meanings, 'registry'>, model: Model): Generator<Model> {
  const names = keyFields(model)
  for (const [name, field] of model.fields) {
    if (field.kind === 'foreignKey' && names.has(name)) yield registry.model(field.to)
    if (field.kind === 'genericForeignKey' && names.has(genericKeys(name, field).id)) yield* registry.targets(field)
  }
  const ends = identifyingEnds(model, registry)
  if (!ends) return
  for (const field of ends.part.fields.values()) {
    if (field.kind === 'genericForeignKey') yield* registry.targets(field)
  }
}
