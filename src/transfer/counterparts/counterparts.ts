import type { Model, Registry } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { join, sql, volatile } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { insertInto, table } from '../../sql/table.ts'

/** An object of the source that exists here, or gets an id here. */
interface Places {
  /** Ids here by ids at the source. */
  readonly local: Map<number, number>
  /** Ids at the source of the objects that this import creates. */
  readonly created: Set<number>
  /** Ids here that this import gives to new objects, or to objects that the source has deleted. */
  readonly reserved: Set<number>
  /** Entries that are not stored yet, of objects that the source has deleted. */
  readonly deleted: Map<number, number>
  /**
   * The highest id of the source when the first import found nothing of the model here: ids up to it are the same on
   * both sides, also those of objects that the source had deleted before.
   */
  keptUpTo: number
  /** The next id for an object whose own id is in use; undefined until it is needed. */
  next: number | undefined
}

/** Whether objects of the model may be in a data set, in a collection or within other objects. */
export const isImportable = ({ definition }: Model): boolean => definition.internal !== true

/**
 * The objects of a source with their ids here. Objects of a model without rows here keep their ids, and need no memory;
 * all others have an entry.
 */
export class Counterparts {
  readonly #queryable: Queryable
  readonly #registry: Registry
  readonly #source: string
  /** Models with rows, change records or imported objects here, by name. */
  readonly #places: ReadonlyMap<string, Places>
  /** Highest ids at the source, by model. */
  readonly #highest = new Map<string, number>()

  constructor(queryable: Queryable, registry: Registry, source: string, places: ReadonlyMap<string, Places>) {
    this.#queryable = queryable
    this.#registry = registry
    this.#source = source
    this.#places = places
  }

  /** Whether all objects keep their ids, because nothing here could be meant by them. */
  get areAllNew(): boolean {
    return this.#places.size === 0
  }

  /** Whether there is, or was, something of the model here. */
  isOccupied(model: string): boolean {
    return this.#places.has(model)
  }

  /** The id here; undefined for an object of which nothing is known. */
  local(model: string, sourceId: number): number | undefined {
    const places = this.#places.get(model)
    return places ? localIn(places, sourceId) : sourceId
  }

  /** The id at the source of an object here; the same number if it is not known. */
  sourceIdOf(model: string, localId: number): number {
    const places = this.#places.get(model)
    if (!places) return localId
    for (const [sourceId, local] of places.local) if (local === localId) return sourceId
    return localId
  }

  isCreated(model: string, sourceId: number): boolean {
    return this.#places.get(model)?.created.has(sourceId) ?? true
  }

  /** Number of objects of the source that are created, of so many. */
  countCreated(model: string, rows: number): number {
    return this.#places.get(model)?.created.size ?? rows
  }

  /** Number of objects that are created under another id than at the source. */
  renumbered(model: string): number {
    const places = this.#places.get(model)
    return [...(places?.created ?? [])].filter((id) => places && localIn(places, id) !== id).length
  }

  /** The ids here of the objects with these ids at the source, as earlier imports have stored them. */
  claimedBy(model: string, sourceIds: ReadonlySet<number>): Set<number> {
    const claimed = new Set<number>()
    for (const [sourceId, local] of this.#places.get(model)?.local ?? []) {
      if (sourceIds.has(sourceId)) claimed.add(local)
    }
    return claimed
  }

  noteHighest(model: string, id: number): void {
    this.#highest.set(model, Math.max(id, this.#highest.get(model) ?? 0))
  }

  /** An object of the source is an object that is here. */
  match(model: string, sourceId: number, localId: number): void {
    this.#places.get(model)?.local.set(sourceId, localId)
  }

  /** Objects that are created, with their ids: those that they have had here, their own if these are free, or new ones. */
  async create(model: Model, sourceIds: readonly number[]): Promise<void> {
    const places = this.#places.get(model.name)
    if (!places || sourceIds.length === 0) return
    for (const id of sourceIds) places.created.add(id)
    await this.#reserve(
      model,
      places,
      sourceIds.filter((id) => localIn(places, id) === undefined),
    )
  }

  /**
   * Gives ids to objects that other rows of the source name, although the source does not have them any more: an id of
   * its own, so that the rows do not refer to an object here that happens to have the same one.
   */
  async keepApart(references: ReadonlyMap<string, ReadonlySet<number>>): Promise<void> {
    for (const [name, ids] of references) {
      const places = this.#places.get(name)
      const unknown = places ? [...ids].filter((id) => localIn(places, id) === undefined) : []
      if (!places || unknown.length === 0) continue
      await this.#reserve(this.#registry.model(name), places, unknown)
      for (const id of unknown) places.deleted.set(id, places.local.get(id) ?? id)
    }
  }

  /** Entries for objects that the source has deleted, which are not stored yet. */
  *takeDeleted(): Generator<readonly [model: string, sourceId: number, localId: number]> {
    for (const [name, { deleted }] of this.#places) {
      for (const [sourceId, localId] of deleted) yield [name, sourceId, localId]
      deleted.clear()
    }
  }

  async #reserve(model: Model, places: Places, sourceIds: readonly number[]): Promise<void> {
    const used = await this.#used(model, sourceIds)
    for (const id of sourceIds) {
      let local = id
      if (used.has(id) || places.reserved.has(id)) {
        places.next ??= await this.#firstUnused(model)
        while (places.reserved.has(places.next)) places.next += 1
        local = places.next++
      }
      places.local.set(id, local)
      places.reserved.add(local)
    }
  }

  /** Which of the ids belong to an object here, or to a deleted one that change records or imports still name. */
  async #used(model: Model, ids: readonly number[]): Promise<ReadonlySet<number>> {
    const changes = this.#registry.models.has(SYSTEM.objectChange)
      ? sql`union select changed_object_id from ${table(SYSTEM.objectChange)}
          where changed_object_type = ${model.name} and changed_object_id = any(${ids}::bigint[])`
      : sql``
    const rows = await this.#queryable.queryColumn(sql`
      select id from ${table(model)} where id = any(${ids}::bigint[])
      union select local_id from ${table(SYSTEM.importedObject)}
        where object_type = ${model.name} and local_id = any(${ids}::bigint[])
      ${changes}`)
    return new Set(rows.map(Number))
  }

  /** An id above all that are in use here and at the source. */
  async #firstUnused(model: Model): Promise<number> {
    const changes = this.#registry.models.has(SYSTEM.objectChange)
      ? sql`(select max(changed_object_id) from ${table(SYSTEM.objectChange)}
          where changed_object_type = ${model.name})`
      : sql`0`
    const [highest] = await this.#queryable.queryColumn(volatile`
      select greatest(
        (select max(id) from ${table(model)}),
        (select max(local_id) from ${table(SYSTEM.importedObject)} where object_type = ${model.name}),
        pg_sequence_last_value(pg_get_serial_sequence(${model.table}, 'id')::regclass),
        ${changes}, 0)`)
    return Math.max(Number(highest), this.#highest.get(model.name) ?? 0) + 1
  }

  /** The counterparts that earlier imports of the source have stored. */
  static async open(
    queryable: Queryable,
    registry: Registry,
    source: string,
    models: readonly Model[],
  ): Promise<Counterparts> {
    const places = new Map<string, Places>()
    for (const name of await occupiedModels(queryable, registry, models)) {
      const local = new Map<number, number>()
      places.set(name, {
        local,
        created: new Set(),
        reserved: new Set(),
        deleted: new Map(),
        keptUpTo: 0,
        next: undefined,
      })
    }
    if (places.size > 0) {
      const rows = await queryable.queryArrays(sql`
        select object_type, source_id, local_id from ${table(SYSTEM.importedObject)} where source = ${source}`)
      for (const [name, sourceId, localId] of rows) {
        const place = places.get(String(name))
        if (place && Number(sourceId) === KEPT) place.keptUpTo = Number(localId)
        else place?.local.set(Number(sourceId), Number(localId))
      }
    }
    return new Counterparts(queryable, registry, source, places)
  }

  get source(): string {
    return this.#source
  }
}

const localIn = ({ local, keptUpTo }: Places, sourceId: number): number | undefined =>
  local.get(sourceId) ?? (sourceId <= keptUpTo ? sourceId : undefined)

/** In place of an id at the source: the entry has the highest id up to which ids are the same. */
const KEPT = 0

/**
 * Stores for models of which there was nothing here that their ids are the same as at the source. New objects get ids
 * above those of objects that the source has deleted, which change records name.
 */
export async function keepIds(queryable: Queryable, registry: Registry, counterparts: Counterparts): Promise<void> {
  const deleted = registry.models.has(SYSTEM.objectChange)
    ? await queryable.queryArrays(sql`
        select changed_object_type, max(changed_object_id) from ${table(SYSTEM.objectChange)} group by 1`)
    : []
  const highest = new Map(deleted.map(([name, id]) => [String(name), Number(id)]))
  for (const model of registry.models.values()) {
    if (!isImportable(model) || model.name === SYSTEM.objectType || counterparts.isOccupied(model.name)) continue
    const [last] = await queryable.queryColumn(sql`select max(id) from ${table(model)}`)
    const kept = Math.max(Number(last), highest.get(model.name) ?? 0)
    if (kept === 0) continue
    if (kept > Number(last)) {
      await queryable.query(volatile`
        select setval(s.name, greatest(${kept}::bigint, coalesce(pg_sequence_last_value(s.name), 0)))
        from (select pg_get_serial_sequence(${model.table}, 'id')::regclass as name) s`)
    }
    await queryable.execute(sql`
      ${insertInto(SYSTEM.importedObject)} (source, object_type, source_id, local_id)
      values (${counterparts.source}, ${model.name}, ${KEPT}, ${kept})`)
  }
}

/** Names of the models of which there is something here: rows, change records, or objects imported before. */
async function occupiedModels(
  queryable: Queryable,
  registry: Registry,
  models: readonly Model[],
): Promise<readonly string[]> {
  const tests = models.map((model) => sql`case when exists (select from ${table(model)}) then ${model.name}::text end`)
  const [held = []] = tests.length === 0 ? [] : await queryable.queryArrays(sql`select ${join(tests)}`)
  const named = await queryable.queryColumn(sql`select distinct object_type from ${table(SYSTEM.importedObject)}`)
  const changed = registry.models.has(SYSTEM.objectChange)
    ? await queryable.queryColumn(sql`select distinct changed_object_type from ${table(SYSTEM.objectChange)}`)
    : []
  const names = new Set([...held, ...named, ...changed].filter((name) => name !== null).map(String))
  return models.map(({ name }) => name).filter((name) => names.has(name))
}
