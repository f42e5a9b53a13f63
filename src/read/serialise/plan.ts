import type { TextsById } from '../../schema/computed.ts'
import type { NestedProjection } from '../../schema/field.ts'
import type { Model } from '../../schema/registry.ts'
import type { Sql } from '../../sql/fragment.ts'
import type { ReadSource } from './read-source.ts'

/** A row as the page's query brings it: values in the order of the select list, the id first. */
export type ValueRow = readonly unknown[]

/** JSON texts by id, one map for each load of the plan. */
export type Loaded = readonly Texts[]

/** JSON text of one field of one row; `base` begins its URLs. */
export type WriteValue = (row: ValueRow, loaded: Loaded, base: string) => string

/** The context of loads while a page is written. */
export interface Reader extends ReadSource {
  /** Beginning of the URLs in the texts: the base URL as a part of a JSON string, or the placeholder for it. */
  readonly base: string
  /** Nested JSON texts of objects by id; ids of rows that are gone are missing. */
  nested(model: Model, projection: NestedProjection, ids: Iterable<number>): Promise<Texts>
  /** The cached value under the key, or the one that `load` reads, which is then cached as far as others may see it too. It must hold no URLs. */
  cached<T>(key: string, load: () => Promise<T>): Promise<T>
}

/** JSON texts by the id of the row, or of the related object, as the load's writer expects. */
export type Texts = TextsById

/** Objects that are read together. */
export interface RowBatch {
  readonly ids: readonly number[]
  /** The rows, which may still be read. */
  readonly rows: Promise<readonly ValueRow[]> | readonly ValueRow[]
  /**
   * Answers that several loads of the page need, each asked for once. Not a weak map by the page: V8 releases the values of a weak map
   * only when it collects the whole heap, and until then copies them as if they were in use.
   */
  readonly shared: Map<unknown, Promise<unknown>>
}

/** The answer under the key, asked for by the first load that needs it. */
export function shareOn<T>(page: RowBatch, key: unknown, ask: () => Promise<T>): Promise<T> {
  const answer = page.shared.get(key) ?? ask()
  page.shared.set(key, answer)
  return answer as Promise<T> // each key stands for one query, which determines the type
}

/** Brings what belongs to the rows of the page, for all of them at once; need not wait for the rows. */
export type LoadByIds = (page: RowBatch, reader: Reader) => Promise<Texts>

/** Brings what the rows name, for all rows of a page at once. */
export type LoadByRows = (rows: readonly ValueRow[], reader: Reader) => Promise<Texts>

export type Load = { readonly by: 'ids'; readonly load: LoadByIds } | { readonly by: 'rows'; readonly load: LoadByRows }

/** Where the objects of a plan are shown. */
export interface PlanForm {
  /** Counts over subtrees are computed by the query of an endpoint alone; elsewhere they are 0, as in the reference. */
  readonly countsSubtrees: boolean
  /** Whether aliases are shown that the reference does not have. */
  readonly hasAliases: boolean
  /** Selections in custom fields are shown without labels, for pages and documents, whatever the version of the API does. */
  readonly isPlain?: boolean
}

export const PAGE_FORM: PlanForm = { countsSubtrees: true, hasAliases: true }
/** As pages read objects. */
export const PLAIN_FORM: PlanForm = { ...PAGE_FORM, isPlain: true }
export const NESTED_FORM: PlanForm = { countsSubtrees: false, hasAliases: true }

/** How rows of a model are selected and written in one projection; compiled once. */
export interface ReadPlan {
  readonly model: Model
  /** Tells plans apart, within a process. */
  readonly key: string
  /** Expressions over alias `t`; the id comes first. */
  readonly columns: readonly Sql[]
  /** Select list of them. */
  readonly select: Sql
  readonly parts: readonly Part[]
  readonly loads: readonly Load[]
}

export interface Part {
  /** Text before the value: `{"id":`, then `,"name":`. */
  readonly head: string
  readonly write: WriteValue
}
