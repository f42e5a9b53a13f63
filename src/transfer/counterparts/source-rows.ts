import { WrongValue } from '../../schema/fields/kind.ts'
import { genericKeys } from '../../schema/generic-keys.ts'
import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { ObjectReference } from '../../write/related-object.ts'
import { BrokenRow } from '../broken-row.ts'
import type { Collection } from '../collections.ts'
import type { CustomFieldTypes } from '../custom-fields.ts'
import type { ExtraFields } from '../extra.ts'
import type { PlacedRow } from '../insert.ts'
import { type ImportedRow, parseRow } from '../parse-row.ts'
import { readLines } from '../read-lines.ts'
import { endingOf } from '../secrets.ts'

/** A collection of the data set whose objects can be imported. */
export interface Source {
  readonly collection: Collection
  readonly model: Model
}

/** An object of the data set, as a row and as it was read. */
export interface SourceRow {
  readonly placed: PlacedRow
  readonly object: JsonObject
}

interface Reading {
  readonly registry: Registry
  readonly hidden: ExtraFields
  /** Time of the import, for objects without times. */
  readonly now: string
  /** Paths of files that are stored under another name here. */
  readonly renamedFiles: ReadonlyMap<string, string>
}

const BATCH = 2000

/** The rows of a data set. Reads its files as often as it is asked, so that no collection has to fit into memory. */
export class SourceRows {
  customFields: CustomFieldTypes = new Map()
  readonly #reading: Reading
  readonly #nameByPath: ReadonlyMap<string, string>

  constructor(reading: Reading) {
    this.#reading = reading
    this.#nameByPath = new Map([...reading.registry.models.values()].map(({ path, name }) => [path, name]))
  }

  /** The object, with the types and ids of related objects that the source only shows as objects. */
  #withTypes({ fields }: Model, object: JsonObject): JsonObject {
    const added = [...fields].flatMap(([name, field]): readonly (readonly [string, Json])[] => {
      if (field.kind !== 'genericForeignKey') return []
      const { type, id } = genericKeys(name, field)
      const shown = object[field.shown === false ? name : (field.shown ?? name)]
      if (object[type] !== undefined || !isJsonObject(shown) || typeof shown.url !== 'string') return []
      const [, path = ''] = /\/api\/(.+)\/\d+\/$/.exec(shown.url) ?? []
      const target = this.#nameByPath.get(path)
      return target === undefined
        ? []
        : [
            [type, target],
            [id, shown.id ?? null],
          ]
    })
    return added.length === 0 ? object : { ...object, ...Object.fromEntries(added) }
  }

  /** The rows of a collection in batches. Throws BrokenRow. */
  async *batches({ collection, model }: Source): AsyncGenerator<readonly SourceRow[]> {
    const seen = new Map<number, number>()
    let batch: SourceRow[] = []
    for await (const { number, object } of readLines(collection.path, collection.file)) {
      const placed = this.#place(model, collection, number, object)
      const earlier = seen.get(placed.row.id)
      if (earlier !== undefined) throw new BrokenRow(collection.file, number, `line ${earlier} has the same id`)
      seen.set(placed.row.id, number)
      batch.push({ placed, object })
      if (batch.length < BATCH) continue
      yield batch
      batch = []
    }
    if (batch.length > 0) yield batch
  }

  #place(model: Model, { endpoint, file }: Collection, line: number, source: JsonObject): PlacedRow {
    const { hidden, now, renamedFiles } = this.#reading
    const id = typeof source.id === 'number' ? source.id : 0
    const ending = endingOf(model.name, source)
    const object = {
      ...source,
      ...(ending !== null && { _ending: ending }),
      ...hidden.get(endpoint)?.get(id),
    }
    try {
      const row = parseRow(model, this.#withTypes(model, object), this.customFields, now)
      return { row: renamedFiles.size === 0 ? row : withFiles(model, row, renamedFiles), file, line }
    } catch (error) {
      if (error instanceof WrongValue) throw new BrokenRow(file, line, error.message)
      throw error
    }
  }
}

/** Extracts the rows that responses show only within an object. */
export type Unfold = NonNullable<NonNullable<Model['behaviour']>['unfold']>

/** Rows within an object, with their model; id 0 for those that have none of their own. */
export const embeddedRows = (
  unfold: Unfold,
  { placed, object }: SourceRow,
): readonly { readonly model: string; readonly placed: PlacedRow }[] =>
  unfold(object).map(({ model, row }) => {
    const id = typeof row.id === 'number' ? row.id : 0
    return { model, placed: { ...placed, row: { ...row, id } } }
  })

function withFiles(model: Model, row: ImportedRow, renamed: ReadonlyMap<string, string>): ImportedRow {
  const next = { ...row }
  for (const [name, { kind }] of model.fields) {
    const path = row[name]
    if (kind === 'file' && typeof path === 'string') next[name] = renamed.get(path) ?? path
  }
  return next
}

/** Object types first, then custom fields, whose types the values of other objects need; the rest in their order. */
export const byPrecedence = (left: Source, right: Source): number => precedence(left.model) - precedence(right.model)

function precedence({ name }: Model): number {
  if (name === SYSTEM.objectType) return 0
  return name === SYSTEM.customField ? 1 : 2
}

/** Whether the rows are parts of other objects that a list of their own repeats: ends of cables, tags of objects. */
export const isPart = ({ name, definition }: Model): boolean =>
  name === SYSTEM.taggedItem || definition.changeSide !== undefined

/** The object that the part belongs to. */
export function holderOf(model: Model, row: Readonly<Record<string, unknown>>): ObjectReference | undefined {
  const { changeSide } = model.definition
  for (const [name, field] of model.fields) {
    if (changeSide ? name === changeSide.of && field.kind === 'foreignKey' : field.kind === 'genericForeignKey') {
      const keys = field.kind === 'genericForeignKey' ? genericKeys(name, field) : undefined
      const type = field.kind === 'foreignKey' ? field.to : keys && row[keys.type]
      const id = row[keys?.id ?? name]
      if (typeof type === 'string' && typeof id === 'number') return { type, id }
    }
  }
  return undefined
}
