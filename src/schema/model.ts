import type { Sql } from '../sql/fragment.ts'
import type { Fields } from './field.ts'
import type { Filter } from './filter.ts'
import type { ColumnOf } from './path.ts'

/** One term of an order: a path, `-` in front for descending; nulls stand last unless told otherwise. */
export type OrderTerm =
  | string
  | { readonly field: string; readonly nulls: 'first' | 'last'; readonly descending?: boolean }

/** No two rows may agree on all the fields; a null in any of them exempts a row. */
export interface Unique {
  readonly fields: readonly string[]
  /** Fields compared case-insensitively (`lower`). */
  readonly ignoreCase?: readonly string[]
  /** The constraint holds only for rows where these fields are null. */
  readonly whereNull?: readonly string[]
  /** The constraint holds only for rows where these fields are not null. */
  readonly whereNotNull?: readonly string[]
  /** The constraint holds only for rows where these texts are not empty. */
  readonly whereNotEmpty?: readonly string[]
  /** Nulls count as equal. */
  readonly nullsEqual?: boolean
}

/** Whether a row matches what was searched for; see schema/search-term.ts. */
export type SearchTerm = (column: ColumnOf, value: string) => Sql

/** What other parts of the service may do with objects of a model. */
export type Feature =
  | 'bookmarks'
  | 'changeLogging'
  | 'cloning'
  | 'contacts'
  | 'configContext'
  | 'customLinks'
  | 'eventRules'
  | 'exportTemplates'
  | 'imageAttachments'
  | 'jobs'
  | 'journaling'
  | 'notifications'
  | 'syncedData'

/** How the rows of a model hang together as a tree. */
export interface Tree {
  /** The field that names the parent. */
  readonly parent: string
  /** The field that orders siblings. */
  readonly orderBy: string
  /**
   * Nodes of the same names from the root on stand together, before those below any of them; by default
   * each is followed by what is below it.
   */
  readonly twinsTogether?: true
}

/** A model as it is written down. Fields stand in the order of the answer. */
export interface Definition<F extends Fields = Fields> {
  /** `app.model`, lower case. */
  readonly name: string
  /** Path below /api/, without slashes at the ends; absent: no collection of its own. */
  readonly path?: string
  /** Path of the object's page for people where it is not `path`; false: no display_url. */
  readonly page?: string | false
  /** Singular and plural. */
  readonly labels: readonly [string, string]
  /** Table name where it is not `<app>_<model>`. */
  readonly table?: string
  readonly fields: F
  /** Template (`{name} ({label})`: a part in […] is dropped when a field in it is empty) or SQL. */
  readonly display: string | ((column: ColumnOf) => Sql)
  /** The whole projection shows `display` also as `display_name`, where the specification lists that. */
  readonly displayName?: true
  /** `id`, `url`, `display` and the others of ?brief=1, in the order of the answer. */
  readonly brief: readonly string[]
  /** Fields of the nested form; default: `brief` without related counts. */
  readonly nested?: readonly string[]
  /** Order of fields in the answer where it is not the order of declaration. */
  readonly answer?: readonly string[]
  readonly order: readonly OrderTerm[]
  /** Order of rows that are sorted by a relation to this model where it is not the model's. */
  readonly orderAsRelation?: readonly OrderTerm[]
  /** Order of the endpoint where it is not the model's. */
  readonly endpointOrder?: readonly OrderTerm[]
  /** Paths that `q` looks into, case-insensitively, and predicates of one's own; absent: no `q`. */
  readonly search?: readonly (string | SearchTerm)[] | SearchTerm
  readonly unique?: readonly Unique[]
  /**
   * Filters beyond those that fields and features bring. An entry replaces a filter of the same name;
   * null removes it.
   */
  readonly filters?: Readonly<Record<string, Filter | null>>
  readonly tree?: Tree
  /** Field of JSON whose keys are asked for by parameters with this prefix: `attr_wattage__gte=500`. */
  readonly keyFilter?: { readonly prefix: string; readonly field: string }
  readonly features?: readonly Feature[]
  /** Methods of collection and detail where they are not all. */
  readonly methods?: readonly ('GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE')[]
  /** Field that leads to the object named as related in change records; the first that is set. */
  readonly changeRelates?: string | readonly string[]
  /** Actions besides view, add, change and delete that a permission may grant. */
  readonly actions?: readonly string[]
  /** A bulk creation answers with the errors of the first refused object only, not with a list. */
  readonly firstErrorOnly?: boolean
  /** Name of the lock that writes take in turn; trees have one of their own without saying so. */
  readonly lock?: string
  /**
   * Rows with which users who are no superusers have to do at all, whatever they may do otherwise;
   * `user` is undefined for nobody.
   */
  readonly visible?: (column: ColumnOf, user: number | undefined) => Sql
  /**
   * Generic relation to the object that a row tells of in full: users who are no superusers see the row only
   * with the object.
   */
  readonly visibleWith?: string
  /** Every signed-in user may view it without permission. */
  readonly everybodyMayView?: boolean
  /** Not offered to generic relations and permissions. */
  readonly private?: boolean
  /** Bookkeeping of the service itself: a table and no more, not even a type of object. */
  readonly internal?: boolean
  /** Rows mean nothing later or elsewhere, as those of sessions: a backup leaves them out. */
  readonly transient?: boolean
}

/** Freezes a definition, shown by its name unless `display` is given; names are checked when the registry is built. */
export const model = <const F extends Fields>(
  definition: Omit<Definition<F>, 'display'> & Partial<Pick<Definition<F>, 'display'>>,
): Definition<F> => Object.freeze({ display: '{name}', ...definition })
