import type { Sql } from '../sql/fragment.ts'
import type { LoadComputed } from './computed.ts'
import type { EarlierForm } from './earlier-form.ts'
import type { Fields } from './field.ts'
import type { FilterDeclaration } from './filter.ts'
import type { ColumnOf } from './path.ts'

/**
 * One term of an order: a path, prefixed by `-` for descending; nulls come last by default. `byChoice`: in the order in
 * which the choices of the field are declared.
 */
export type OrderTerm =
  | string
  | { readonly field: string; readonly byChoice: true }
  | { readonly field: string; readonly nulls: 'first' | 'last'; readonly descending?: boolean }

/** No two rows may agree in all the fields; a row with a null in any of them is exempt. */
export interface Unique {
  readonly fields: readonly string[]
  /** Fields compared case-insensitively (`lower`). */
  readonly ignoreCase?: readonly string[]
  /** The constraint holds only for rows in which these fields are null. */
  readonly whereNull?: readonly string[]
  /** The constraint holds only for rows in which these fields are not null. */
  readonly whereNotNull?: readonly string[]
  /** The constraint holds only for rows in which these texts are not empty. */
  readonly whereNotEmpty?: readonly string[]
  /** Nulls count as equal. */
  readonly nullsEqual?: boolean
}

/** An expression that must not be false for any object of a model when it is saved. */
export interface Constraint {
  readonly expression: string
  /** What is wrong with an object for which it is false. */
  readonly message: string
  /** Field that the message is about; by default the object as a whole. */
  readonly field?: string
  /** Only updates that change one of these fields are judged. */
  readonly changing?: readonly string[]
}

/** An index that does not follow from a field, an order or a constraint. */
export type IndexDeclaration =
  /** For rows found or sorted by these fields. */
  | { readonly fields: readonly string[] }
  /** For rows found by any part of this text, without regard to case; only if the database has pg_trgm. */
  | { readonly partsOf: string }

/** Predicate of a search; see schema/search-term.ts. */
export type SearchTerm = (column: ColumnOf, value: string) => Sql

/** Capabilities of the objects of a model that other parts of the service use. */
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

/** Capabilities that follow from the fields of a model. */
export type FieldFeature = 'tags' | 'customFields'

/** Tree structure of a model's rows. */
export interface Tree {
  /** The field that refers to the parent. */
  readonly parent: string
  /** The field that orders siblings. */
  readonly orderBy: string
  /**
   * Nodes with equal full paths are grouped, before any of their descendants; by default each node is followed by its
   * own descendants.
   */
  readonly duplicatesTogether?: true
  /** GraphQL also shows the numbers of a tree traversal, as in API version 4.6. */
  readonly isWalked?: true
}

/** The model in the GraphQL schema, if its names do not follow from those of the model. */
export interface GraphqlNames {
  /** Name of the type. */
  readonly type?: string
  /** Name of the root field of one object. */
  readonly root?: string
  /**
   * By field with choices: name of the enum, and the prefix of its members ('' for none). Fields with the same choices
   * share it.
   */
  readonly enums?: Readonly<Record<string, readonly [name: string, beginning: string]>>
  /** By generic relation: name of the union of its targets. */
  readonly unions?: Readonly<Record<string, string>>
  /** For a tree: other models' filters name its nodes with a match type, not only by id. */
  readonly matchesNodes?: boolean
  /** Fields with choices whose filter takes a member of the enum, not a lookup. */
  readonly members?: readonly string[]
  /** By input of the filter: the lookup that it accepts, if that does not follow from the field. */
  readonly lookups?: Readonly<Record<string, 'StrFilterLookup' | 'IntFilterLookup'>>
  /** By field that refers to another model: name of the inverse relation, if it is not the plural label. */
  readonly back?: Readonly<Record<string, string>>
  /** Further names of relations in the filter, by name. */
  readonly filters?: Readonly<Record<string, string>>
  /** Relations that must be set, but are shown as null if the related object is hidden. */
  readonly optional?: readonly string[]
  /** Hidden relations whose object is shown, not only its id. */
  readonly objects?: readonly string[]
  /** Field that is shown as `display`, if it is not what the REST API displays. */
  readonly display?: string
  /** Features that the model lacks and that its type shows as empty. */
  readonly none?: readonly ('custom_fields' | 'tags')[]
  /** Fields of the type, if not all. */
  readonly only?: readonly string[]
  /** Why clients should no longer use fields, by their names: `Use port_mappings.` */
  readonly deprecated?: Readonly<Record<string, string>>
  /** Shown only as part of other objects: without root fields, and without a collection. */
  readonly isPart?: boolean
}

/** JSON texts of displays, computed from columns of a page's rows. */
export interface PageDisplay {
  readonly columns: readonly string[]
  readonly load: LoadComputed
}

/** The relation on which the visibility of a model's rows depends. */
export interface VisibleWith {
  /**
   * A generic relation; or the name by which a foreign key of another model leads back to this one, if that model has
   * `visibleWith` too: a row is visible with any row there that is.
   */
  readonly relation: string
  /** Rows about deleted objects are shown too. */
  readonly orDeleted?: boolean
  /**
   * Rows about no object are shown too, to users who may view all objects of `types`; if rows of another model lead to
   * the objects, to the user who has created the row and may add those.
   */
  readonly orNone?: boolean
  /** Field with names of models: a row is shown only to users who may view all objects of each of them. */
  readonly types?: string
}

/** Declaration of a model. Fields are in the order of the response. */
export interface Definition<F extends Fields = Fields> {
  /** `app.model`, lower case. */
  readonly name: string
  /** Path below /api/, without slashes at the ends; absent: no collection of its own. */
  readonly path?: string
  /** Path of the object's HTML page if it is not `path`; false: no display_url. */
  readonly page?: string | false
  /** Further paths of its collection, below /api/. */
  readonly aliases?: readonly string[]
  /** Singular and plural. */
  readonly labels: readonly [string, string]
  /** What such an object is, in a sentence for the page of the empty list. */
  readonly about?: string
  /** Name in messages to clients if it is not the label without spaces: `VMInterface`. */
  readonly className?: string
  /** Label of the id in OPTIONS if it is not `ID`. */
  readonly idLabel?: string
  /** Table name if it is not `<app>_<model>`. */
  readonly table?: string
  readonly fields: F
  /** Template (`{name} ({label})`: a part in […] is dropped when a field in it is empty) or SQL. */
  readonly display: string | ((column: ColumnOf) => Sql)
  /** Expression over its fields whose value is displayed instead; `display` is then ignored. */
  readonly displayExpression?: string
  /** The same as `display` for a whole batch, if SQL would need a lookup for each of its rows. */
  readonly batchDisplay?: PageDisplay
  /** The full projection also shows `display` as `display_name`, if the specification lists that. */
  readonly displayName?: true
  /** `id`, `url`, `display` and the other fields of ?brief=1, in the order of the response. */
  readonly brief: readonly string[]
  /** Fields that a response contains only if the request names them in `fields`: additions to NetBox's form. */
  readonly namedOnly?: readonly string[]
  /** Fields of the nested form; default: `brief` without related counts. */
  readonly nested?: readonly string[]
  /** Order of fields in the response if it is not the order of declaration. */
  readonly answer?: readonly string[]
  readonly order: readonly OrderTerm[]
  /** Order of rows that are sorted by a relation to this model, if it is not the model's. */
  readonly orderAsRelation?: readonly OrderTerm[]
  /** Order of the endpoint if it is not the model's. */
  readonly endpointOrder?: readonly OrderTerm[]
  /** Paths that `q` searches, case-insensitively, and custom predicates; absent: no `q`. */
  readonly search?: readonly (string | SearchTerm)[] | SearchTerm
  readonly unique?: readonly Unique[]
  /** Fields that identify an object for people if no constraint does; objects without values count too. */
  readonly naturalKey?: readonly string[]
  /** What must be true of every object, as expressions. */
  readonly constraints?: readonly Constraint[]
  /**
   * A boolean field that is true for rows which follow from other objects. Effects maintain them, also after an undo or a
   * merge, so they have no change records, and undos and merges leave them out.
   */
  readonly derivedRows?: string
  /** Indexes beyond those of relations, the order and unique fields. */
  readonly indexes?: readonly IndexDeclaration[]
  /** Filters beyond those of fields and features. An entry replaces a filter of the same name; null removes it. */
  readonly filters?: Readonly<Record<string, FilterDeclaration | null>>
  readonly tree?: Tree
  /** False: no filters, because the model is secret or internal. */
  readonly graphql?: GraphqlNames | false
  /** JSON field whose keys can be filtered with this prefix: `attr_wattage__gte=500`. */
  readonly keyFilter?: { readonly prefix: string; readonly field: string }
  readonly features?: readonly Feature[]
  /** Methods of collection and detail, if not all. */
  readonly methods?: readonly ('GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE')[]
  /**
   * Bodies or responses may contain passwords or keys in plain text: requests are not run as background jobs, which
   * would store them. This is the default if a field is `writeOnly`.
   */
  readonly hasSecrets?: true
  /**
   * `export --format=apply` leaves its objects out: creating one creates other objects, which the document would list
   * too.
   */
  readonly inDocuments?: false
  /** Fields whose object is the related object of change records; the first that is set. */
  readonly changeRelates?: string | readonly string[]
  /**
   * A row represents one end of another object, such as a cable: the foreign key to that object, and the field with the
   * side of the row's related object.
   */
  readonly changeSide?: { readonly of: string; readonly side: string }
  /** Actions besides view, add, change and delete that a permission can grant. */
  readonly actions?: readonly string[]
  /** A refused bulk creation reports only the errors of the first refused object, not a list. */
  readonly firstErrorOnly?: boolean
  /** Name of the lock that serialises writes; by default trees have their own. */
  readonly lock?: string
  /**
   * Predicate for the rows that users other than superusers may access at all, whatever their permissions; `user` is
   * undefined for anonymous requests.
   */
  readonly visible?: (column: ColumnOf, user: number | undefined) => Sql
  /**
   * Generic relation to the object that a row describes: users other than superusers have access to the row only if they
   * may view the object.
   */
  readonly visibleWith?: VisibleWith
  /** Every signed-in user may view objects without a permission. */
  readonly everybodyMayView?: boolean
  /** Excluded from generic relations and permissions. */
  readonly private?: boolean
  /** Internal data of the service: only a table, without an object type. */
  readonly internal?: boolean
  /** Rows that are useless later or on another server, such as sessions; backups omit them. */
  readonly transient?: boolean
  /** Past versions of its rows are stored, and can be read with `as_of`; by default those of models with a change log. */
  readonly hasHistory?: boolean
  /** Branches do not have their own objects: they show those of main, and cannot change them. */
  readonly isShared?: true
  /** How API version 4.6 shows it, if that differs; `absent`: it is not part of that version. */
  readonly earlier?: EarlierForm | 'absent'
}

/** A frozen definition, displayed by its name unless `display` is given; the registry checks names. */
export const model = <const F extends Fields>(
  definition: Omit<Definition<F>, 'display'> & Partial<Pick<Definition<F>, 'display'>>,
): Definition<F> => Object.freeze({ display: '{name}', ...definition })
