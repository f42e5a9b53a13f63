import type { Messages } from '../base/errors.ts'
import type { Queryable, Row } from '../sql/queryable.ts'
import type { Origin } from './audit.ts'
import type { Field, Fields, GenericForeignKeyField } from './field.ts'
import type { JsonObject } from './json.ts'
import type { Definition, Feature, FieldFeature } from './model.ts'
import type { Registry } from './registry.ts'
import type { RuleSettings } from './settings.ts'

type Plain<F extends Fields> = {
  readonly [K in keyof F as F[K] extends { readonly valueType?: unknown } ? K : never]: F[K] extends {
    readonly valueType?: infer Value
  }
    ? Exclude<Value, undefined>
    : never
}
type GenericNames<F extends Fields> = {
  [K in keyof F]: F[K] extends GenericForeignKeyField<infer Nullable>
    ? { readonly [N in `${K & string}_type`]: Nullable extends true ? string | null : string } & {
        readonly [N in `${K & string}_id`]: Nullable extends true ? number | null : number
      }
    : never
}[keyof F]
type Intersection<U> = (U extends unknown ? (value: U) => void : never) extends (value: infer I) => void ? I : never
type Generic<F extends Fields> = [GenericNames<F>] extends [never] ? unknown : Intersection<GenericNames<F>>

/**
 * A row as rules see it: stored fields by field name (a foreign key is the id, a decimal is text, a many to many
 * field is a list of ids), plus `id` (0 before the first save), without `display`.
 */
export type RowOf<F extends Fields> = Plain<F> & Generic<F> & { readonly id: number }

/** A row of a model that is not known at compile time. */
export type AnyRow = Readonly<Record<string, unknown>> & { readonly id: number }

/** Condition on columns: field name → value (null: is null); a list matches any of its values. */
export type Where<F extends Fields> = {
  readonly [K in keyof RowOf<F>]?: RowOf<F>[K] | readonly RowOf<F>[K][]
}

/**
 * Queries of rules. Rules of one batch run concurrently; `read` collects the queries of one turn of the event loop
 * and executes them together: one statement per kind of query.
 */
export interface Read {
  /** The row with the id, with `display`. Rows of this batch have their new values. */
  get<F extends Fields>(model: Definition<F>, id: number): Promise<RowOf<F> & { readonly display: string }>
  getMany<F extends Fields>(
    model: Definition<F>,
    ids: readonly number[],
  ): Promise<(RowOf<F> & { readonly display: string })[]>
  /** The first stored row that matches (without the changes of the batch). `not`: an id to exclude. */
  find<F extends Fields>(
    model: Definition<F>,
    where: Where<F>,
    options?: { readonly not?: number },
  ): Promise<(RowOf<F> & { readonly display: string }) | undefined>
  /** All rows that match, in id order. */
  all<F extends Fields>(model: Definition<F>, where: Where<F>): Promise<(RowOf<F> & { readonly display: string })[]>
  /**
   * Whether the writing user may view the row, as stored. Hidden rows count in every rule, but must not be named in
   * messages; a body that refers to one is refused as if it did not exist.
   */
  shows(model: { readonly name: string }, id: number): Promise<boolean>
  /** Whether a model of that name exists; with a feature, whether it has the feature. */
  isModel(name: string, feature?: Feature | FieldFeature): boolean
  /** For queries that these methods cannot express; once per batch, not once per object. */
  readonly database: Queryable
}

/** Messages by field name; `__all__` for the object as a whole, `non_field_errors` for API checks. */
export type Refusal = Readonly<Record<string, Messages>>

/** Arguments of a rule. */
export interface Change<F extends Fields> {
  /** The row after the change. */
  readonly next: RowOf<F>
  /** The stored row; undefined for a new one. */
  readonly previous: RowOf<F> | undefined
  /** Names of the fields that the body contains. */
  readonly sent: ReadonlySet<string>
  readonly read: Read
  readonly settings: RuleSettings
  /** Time of the request, ISO 8601 UTC. */
  readonly now: string
  /** Name of the writing user. */
  readonly user: string
  /** For deletion rules: whether an object of the model is deleted too. */
  readonly deletes?: (model: { readonly name: string }, id: number) => boolean
  /** All rows of the batch after the change, for rules that compare them with each other. */
  readonly batch: readonly RowOf<F>[]
}

/**
 * The refusal of one object; undefined accepts it. The first refusal of a model's rules ends the checks of that
 * object.
 */
export type Rule<F extends Fields> = (change: Change<F>) => Refusal | undefined | Promise<Refusal | undefined>

/**
 * Thrown by a rule if something that it needs takes seconds to start. The write is rolled back and starts again when
 * `ready` has resolved, so that no transaction stays open meanwhile.
 */
export class NotReady extends Error {
  readonly ready: Promise<unknown>

  constructor(ready: Promise<unknown>) {
    super('A rule waits for something')
    this.ready = ready
    // It is not awaited if the write is refused for another reason.
    ready.catch(() => undefined)
  }
}

/** Sets or normalises values before rules and saving; returns the fields that differ. */
export type Normalizer<F extends Fields> = (
  change: Change<F>,
) => Partial<RowOf<F>> | undefined | Promise<Partial<RowOf<F>> | undefined>

/**
 * Writes by effects: rows as the model stores them, without validation, but with counters, trees, effects and change
 * records like any other write.
 */
export interface Writer {
  /** Ids in the order of the rows. Fields that are not named get their default, or null. */
  create<F extends Fields>(model: Definition<F>, rows: readonly Partial<RowOf<F>>[]): Promise<number[]>
  /** Fields that are not named stay unchanged. */
  update<F extends Fields>(
    model: Definition<F>,
    rows: readonly (Partial<RowOf<F>> & { readonly id: number })[],
  ): Promise<void>
  /**
   * Lets everything that stores names of fields follow new ones: filters, views, constraints, rules, expressions. Throws
   * `invalid` if an object names fields of several types, of which others keep the name.
   */
  renameFields(renamings: readonly FieldRenaming[]): Promise<void>
  /** Deletes the rows with everything that depends on them; throws `inUse` for protected rows. */
  remove<F extends Fields>(model: Definition<F>, ids: readonly number[]): Promise<void>
}

/** A field of an object type that gets another name. */
export interface FieldRenaming {
  /** The type's name, as in `dcim.site`. */
  readonly type: string
  readonly from: string
  readonly to: string
  /** A custom field, whose values have names of their own: `cf_tier`, `custom_fields.tier`, `cf.tier`. */
  readonly isCustom: boolean
}

/** A notification about an object. */
export interface Message {
  /** Name of the object's model. */
  readonly objectType: string
  readonly objectId: number
  /** Shown before the name of the object. */
  readonly text: string
  /** Ids of the users to be notified. */
  readonly users: readonly number[]
}

/** Reads of objects of any model, whatever the user may view: results must not be shown without a check. */
export interface StoredObjects {
  readonly registry: Registry
  /** The objects are those of a branch. */
  readonly isBranch: boolean
  /** The rows with these ids, ordered by id; missing ones are left out. */
  rows(model: string, ids: readonly number[]): Promise<readonly AnyRow[]>
  /**
   * For each dictionary of attributes the ids of the objects that have all of them, at most two. A name may be that of a
   * field, or end with a lookup: `name__iexact`.
   */
  find(model: string, sought: readonly Readonly<Record<string, unknown>>[]): Promise<readonly (readonly number[])[]>
  /** Finds only objects that the active user with this id may view. */
  findableBy(user: number): Promise<Pick<StoredObjects, 'registry' | 'find'>>
  /** Those of the objects with these ids that are members of the dynamic group. */
  members(model: string, group: number, ids: readonly number[]): Promise<readonly number[]>
  /**
   * Describes rows that a statement has inserted, or is about to delete, for event rules. The returned function stores
   * the events.
   */
  announce(model: string, type: 'object_created' | 'object_deleted', ids: readonly number[]): Promise<() => void>
}

/** The written rows, for effects, in the order of the batch. */
export interface Effect<F extends Fields> {
  /** `restore`: the undo of a deletion; other objects that the deletion has changed are restored by the undo itself. */
  readonly action: 'create' | 'update' | 'delete' | 'restore'
  readonly rows: readonly {
    readonly next: RowOf<F> | undefined
    readonly previous: RowOf<F> | undefined
  }[]
  readonly database: Queryable
  readonly write: Writer
  readonly stored: StoredObjects
  /** Makes events show the written rows as they are now, without later changes of the effect. */
  readonly describe: () => Promise<void>
  /** As for rules. */
  readonly isModel: Read['isModel']
  readonly settings: RuleSettings
  readonly origin: Origin
  /**
   * Notifies those of the users who may view the object, except the user who writes. The latest message about an object
   * counts.
   */
  readonly notify: (messages: readonly Message[]) => Promise<void>
  /**
   * Runs `work` once before the end of the transaction, after all effects, with what they have collected under the name.
   * For data that would otherwise be computed again and again. `work` may refuse the write with an ApiError.
   */
  readonly atEnd: <T>(name: string, items: readonly T[], work: (items: readonly T[]) => Promise<void>) => void
  /** Runs `work` after the commit, never after a rollback. */
  readonly afterCommit: (work: () => void) => void
}
/**
 * Effect of a write, in the same transaction, after the change records of the write itself. Its own statements are
 * set-based and create no change records; writes that need change records use `write`.
 */
export type EffectFunction<F extends Fields> = (effect: Effect<F>) => Promise<void>

/** A row of another model that is shown inside an object. Without an id it gets a new one. */
export interface EmbeddedRow {
  /** `app.model`. */
  readonly model: string
  /** Values by row key. */
  readonly row: Readonly<Record<string, unknown>>
}

/**
 * Behaviour of a model beyond its declaration. The hooks of a write are listed in the order in which they run; those
 * of a deletion follow. Writes of an effect (`Writer`) run only `beforeChangeRecord` and `afterWrite`.
 */
export interface Behaviour<F extends Fields = Fields> {
  readonly model: Definition<F>
  /** Validation in the API, after all fields have been parsed and references resolved. */
  readonly serializerRules?: readonly Rule<F>[]
  /** Set or normalise values, after the serializer rules have accepted the object. */
  readonly normalize?: readonly Normalizer<F>[]
  /** Validation of the model, over normalised values. Uniqueness is checked afterwards. */
  readonly modelRules?: readonly Rule<F>[]
  /**
   * Set the values to be stored, after all validation: the hash of a password, or values copied from a related row.
   * These values are not validated again.
   */
  readonly beforeSave?: readonly Normalizer<F>[]
  /** Save parts of the object in other tables: after its row, before its change record is written. */
  readonly beforeChangeRecord?: readonly EffectFunction<F>[]
  /** Run after the change record of a creation, an update or a deletion, in the same transaction. */
  readonly afterWrite?: readonly EffectFunction<F>[]
  /** Refuse a deletion: 409 with the message as `detail`. */
  readonly deletionRules?: readonly Rule<F>[]
  /** Run after the deletion rules, while all rows to be deleted still exist. */
  readonly beforeDelete?: readonly EffectFunction<F>[]
  /** Recomputes for the whole table the data that effects maintain; runs after an import. */
  readonly rebuild?: (database: Queryable) => Promise<void>
  /**
   * Rows of tables without a collection of their own, extracted from an object of an API response. An import reads such
   * rows this way.
   */
  readonly unfold?: (object: JsonObject) => readonly EmbeddedRow[]
}

/** Behaviour of one model, type-checked against its fields, then generalised for the engine. */
export const behaviour = <F extends Fields>(
  model: Definition<F>,
  parts: Omit<Behaviour<NoInfer<F>>, 'model'>,
): Behaviour => ({ model, ...parts }) as unknown as Behaviour

/** Arguments of a rule about rows whose fields are not known at compile time. */
export interface UntypedChange extends Omit<Change<Fields>, 'next' | 'previous' | 'batch'> {
  readonly next: AnyRow
  readonly previous: AnyRow | undefined
  readonly batch: readonly AnyRow[]
}

/** Writes by effects to models that are known by their names only. */
export interface UntypedWriter {
  create(model: { readonly name: string }, rows: readonly Readonly<Record<string, unknown>>[]): Promise<number[]>
  update(model: { readonly name: string }, rows: readonly AnyRow[]): Promise<void>
  remove(model: { readonly name: string }, ids: readonly number[]): Promise<void>
}

/** Arguments of an effect of such rows. */
export interface UntypedEffect extends Omit<Effect<Fields>, 'rows' | 'write'> {
  readonly write: UntypedWriter
  readonly rows: readonly { readonly next: AnyRow | undefined; readonly previous: AnyRow | undefined }[]
}

type Awaitable<T> = T | Promise<T>
type UntypedRule = (change: UntypedChange) => Awaitable<Refusal | undefined>
type UntypedNormalizer = (change: UntypedChange) => Awaitable<Readonly<Record<string, unknown>> | undefined>
export type UntypedEffectFunction = (effect: UntypedEffect) => Promise<void>

/** As `Behaviour`, for a model whose fields are not known at compile time. */
export interface UntypedBehaviour {
  readonly serializerRules?: readonly UntypedRule[]
  readonly normalize?: readonly UntypedNormalizer[]
  readonly modelRules?: readonly UntypedRule[]
  readonly beforeSave?: readonly UntypedNormalizer[]
  readonly afterWrite?: readonly UntypedEffectFunction[]
  readonly deletionRules?: readonly UntypedRule[]
  readonly beforeDelete?: readonly UntypedEffectFunction[]
  readonly rebuild?: Behaviour['rebuild']
}

/** Behaviour of a model by its name: one that is declared as data, or one of the program. */
export const behaviourOf = (name: string, parts: UntypedBehaviour): Behaviour =>
  ({ model: { name }, ...parts }) as unknown as Behaviour // the registry knows the model by its name

/** Rules only: the usual case. */
export const rulesFor = <F extends Fields>(model: Definition<F>, ...rules: readonly Rule<F>[]): Behaviour =>
  behaviour(model, { modelRules: rules })

export type { Field, Row }
