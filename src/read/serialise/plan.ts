import type { TextsById } from '../../schema/computed.ts'
import type { NestedProjection } from '../../schema/field.ts'
import type { Model } from '../../schema/registry.ts'
import type { Sql } from '../../sql/fragment.ts'
import type { ReadSource } from './read-source.ts'

/** A row of the batch's query: values in the order of the select list, the id first. */
export type ValueRow = readonly unknown[]

/** JSON texts by id, one map for each load of the plan. */
export type Loaded = readonly Texts[]

/** JSON text of one field of one row; `base` is the start of its URLs. */
export type ValueRenderer = (row: ValueRow, loaded: Loaded, base: string) => string

/** The context of loads while a batch is serialised. */
export interface Reader extends ReadSource {
  /** Start of the URLs in the texts: the base URL as a part of a JSON string, or its placeholder. */
  readonly base: string
  /** Nested JSON texts of objects by id; ids of deleted rows are missing. */
  nested(model: Model, projection: NestedProjection, ids: Iterable<number>): Promise<Texts>
  /**
   * The value cached under the key, or the one that `load` reads, which is then cached if other users may see it too.
   * It must not contain URLs.
   */
  cached<T>(key: string, load: () => Promise<T>): Promise<T>
}

/** JSON texts by the id of the row, or of the related object, as the load's renderer expects. */
export type Texts = TextsById

/** Objects that are read together. */
export interface RowBatch {
  readonly ids: readonly number[]
  /** The rows, or a promise of them. */
  readonly rows: Promise<readonly ValueRow[]> | readonly ValueRow[]
  /**
   * Results that several loads of the batch need, each requested once. Not a weak map by batch: V8 releases the values of
   * a weak map only when it collects the whole heap, and until then copies them as if they were in use.
   */
  readonly shared: Map<unknown, Promise<unknown>>
}

/** The result under the key, requested by the first load that needs it. */
export function shareOn<T>(batch: RowBatch, key: unknown, load: () => Promise<T>): Promise<T> {
  const result = batch.shared.get(key) ?? load()
  batch.shared.set(key, result)
  return result as Promise<T> // each key belongs to one query, which determines the type
}

/** Loads what belongs to the rows of the batch, for all of them at once; need not wait for the rows. */
export type LoadByIds = (batch: RowBatch, reader: Reader) => Promise<Texts>

/** Loads the objects that the rows name, for all rows of a batch at once. */
export type LoadByRows = (rows: readonly ValueRow[], reader: Reader) => Promise<Texts>

export type Load = { readonly by: 'ids'; readonly load: LoadByIds } | { readonly by: 'rows'; readonly load: LoadByRows }

/** The context in which the objects of a plan are shown. */
export interface PlanForm {
  /** Counts over subtrees are computed only by the query of an endpoint; elsewhere they are 0, as in NetBox. */
  readonly countsSubtrees: boolean
  /** Whether to show aliases that NetBox does not have. */
  readonly hasAliases: boolean
  /** Selections in custom fields are shown without labels, for pages and documents, whatever the API version. */
  readonly isPlain?: boolean
}

export const PAGE_FORM: PlanForm = { countsSubtrees: true, hasAliases: true }
/** The form in which pages read objects. */
export const PLAIN_FORM: PlanForm = { ...PAGE_FORM, isPlain: true }
export const NESTED_FORM: PlanForm = { countsSubtrees: false, hasAliases: true }

/** How rows of a model are selected and serialised in one projection; compiled once. */
export interface ReadPlan {
  readonly model: Model
  /** Identifies a plan within a process. */
  readonly key: string
  /** Expressions over alias `t`, the id first. */
  readonly columns: readonly Sql[]
  /** Select list of them. */
  readonly select: Sql
  readonly parts: readonly Part[]
  readonly loads: readonly Load[]
}

export interface Part {
  /** Text before the value: `{"id":`, then `,"name":`. */
  readonly head: string
  readonly render: ValueRenderer
}
