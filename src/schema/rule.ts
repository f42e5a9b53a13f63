import type { Messages } from '../errors.ts'
import type { Queryable, Row } from '../sql/queryable.ts'
import type { Origin } from './audit.ts'
import type { Field, Fields, GenericForeignKeyField } from './field.ts'
import type { JsonObject } from './json.ts'
import type { Definition } from './model.ts'
import type { RuleSettings } from './settings.ts'

type Plain<F extends Fields> = {
  readonly [K in keyof F as F[K] extends { readonly valueType?: unknown }
    ? K
    : never]: F[K] extends {
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
type Intersection<U> = (U extends unknown ? (value: U) => void : never) extends (
  value: infer I,
) => void
  ? I
  : never
type Generic<F extends Fields> = [GenericNames<F>] extends [never]
  ? unknown
  : Intersection<GenericNames<F>>

/**
 * A row as rules see it: stored fields by field name (a foreign key holds the id, a decimal is text,
 * a many to many field holds the ids), plus `id` (0 while it is not saved), `display` not included.
 */
export type RowOf<F extends Fields> = Plain<F> & Generic<F> & { readonly id: number }

/** A row of a model that is not known at compile time. */
export type AnyRow = Readonly<Record<string, unknown>> & { readonly id: number }

/** Condition on columns: field name → value (null: is null); lists mean any of them. */
export type Where<F extends Fields> = {
  readonly [K in keyof RowOf<F>]?: RowOf<F>[K] | readonly RowOf<F>[K][]
}

/**
 * Questions to the database. Rules of one batch run side by side; `read` gathers what they ask within
 * one turn of the event loop and puts it to the database together: one query per kind of question.
 */
export interface Read {
  /** The row with the id, with `display`. Rows changed by this batch are seen as they will be. */
  get<F extends Fields>(
    model: Definition<F>,
    id: number,
  ): Promise<RowOf<F> & { readonly display: string }>
  getMany<F extends Fields>(
    model: Definition<F>,
    ids: readonly number[],
  ): Promise<(RowOf<F> & { readonly display: string })[]>
  /** First row that matches, as stored (batch changes not applied). `not`: an id that does not count. */
  find<F extends Fields>(
    model: Definition<F>,
    where: Where<F>,
    options?: { readonly not?: number },
  ): Promise<(RowOf<F> & { readonly display: string }) | undefined>
  /** All rows that match, in id order. */
  all<F extends Fields>(
    model: Definition<F>,
    where: Where<F>,
  ): Promise<(RowOf<F> & { readonly display: string })[]>
  /**
   * Whether whoever writes may see the row, as stored. What is hidden from them counts in every rule, but is not
   * to be named; where a body names it, it is not there.
   */
  shows(model: { readonly name: string }, id: number): Promise<boolean>
  /** Whether a model has the name. */
  isModel(name: string): boolean
  /** Escape hatch for a question that these words can't put; once per batch, not once per object. */
  readonly database: Queryable
}

/** Messages by field name; `__all__` for the object as a whole, `non_field_errors` for API checks. */
export type Refusal = Readonly<Record<string, Messages>>

/** What a rule looks at. */
export interface Change<F extends Fields> {
  /** The row as it will be. */
  readonly next: RowOf<F>
  /** The row as it is stored; undefined for a new one. */
  readonly previous: RowOf<F> | undefined
  /** Names that the body sent. */
  readonly sent: ReadonlySet<string>
  readonly read: Read
  readonly settings: RuleSettings
  /** Time of the request, ISO 8601 UTC. */
  readonly now: string
  /** All rows of the batch as they will be, for rules that compare them with each other. */
  readonly batch: readonly RowOf<F>[]
}

/** Undefined: nothing to object. The first refusal of a model's rules ends the checks of that object. */
export type Rule<F extends Fields> = (
  change: Change<F>,
) => Refusal | undefined | Promise<Refusal | undefined>

/** Fills or normalises values before rules and saving; returns the fields that differ. */
export type Normalizer<F extends Fields> = (
  change: Change<F>,
) => Partial<RowOf<F>> | undefined | Promise<Partial<RowOf<F>> | undefined>

/**
 * Writes that follow from a write: rows as the model has them, not checked again, but with counters,
 * trees, effects and change records like any other.
 */
export interface Writer {
  /** Ids in the order of the rows. Fields that are not named get their default, or null. */
  create<F extends Fields>(
    model: Definition<F>,
    rows: readonly Partial<RowOf<F>>[],
  ): Promise<number[]>
  /** Fields that are not named keep their value. */
  update<F extends Fields>(
    model: Definition<F>,
    rows: readonly (Partial<RowOf<F>> & { readonly id: number })[],
  ): Promise<void>
  /** With everything that depends on them; throws `inUse` where something protects them. */
  remove<F extends Fields>(model: Definition<F>, ids: readonly number[]): Promise<void>
}

/** What was written, for effects. Rows are in the order of the batch. */
export interface Effect<F extends Fields> {
  readonly action: 'create' | 'update' | 'delete'
  readonly rows: readonly {
    readonly next: RowOf<F> | undefined
    readonly previous: RowOf<F> | undefined
  }[]
  readonly database: Queryable
  readonly write: Writer
  /** To be called for every other model whose table the effect changes by SQL of its own. */
  readonly touch: (model: Pick<Definition, 'name'>) => void
  /** Whether a model has the name. */
  readonly isModel: (name: string) => boolean
  readonly settings: RuleSettings
  readonly origin: Origin
  /** Runs once the write is committed, never when it is rolled back. */
  readonly afterCommit: (work: () => void) => void
}
/**
 * Follows from a write, in the same transaction, after the change records of the write itself. Statements
 * of its own are set-based and leave no change records; what shall leave some goes through `write`.
 */
export type EffectFunction<F extends Fields> = (effect: Effect<F>) => Promise<void>

/** A row of another model that is shown within an object. It gets an id where it names none. */
export interface EmbeddedRow {
  /** `app.model`. */
  readonly model: string
  /** Values by row key. */
  readonly row: Readonly<Record<string, unknown>>
}

/**
 * Behaviour of a model beyond its declaration. The hooks of a write are listed in the order in which they run; those of a
 * deletion follow. What an effect creates or updates (`Writer`) passes only `beforeChangeRecord` and `afterWrite`.
 */
export interface Behaviour<F extends Fields = Fields> {
  readonly model: Definition<F>
  /** Checks of the API, once all fields have been parsed and references resolved. */
  readonly serializerRules?: readonly Rule<F>[]
  /** Fill in or normalise values, once the serializer rules have accepted the object. */
  readonly normalize?: readonly Normalizer<F>[]
  /** Checks of the model, over normalised values. Uniqueness is checked after them. */
  readonly modelRules?: readonly Rule<F>[]
  /**
   * Set the values to be stored, once every check has passed: a password's hash, or what is copied from a related row.
   * What they set is not checked again.
   */
  readonly beforeSave?: readonly Normalizer<F>[]
  /** Save parts of the object that are stored in other tables: after its row, before its change record is written. */
  readonly beforeChangeRecord?: readonly EffectFunction<F>[]
  /** Run after the change record of a creation, an update or a deletion, in the same transaction. */
  readonly afterWrite?: readonly EffectFunction<F>[]
  /** Refuse a deletion: 409 with the message as `detail`. */
  readonly deletionRules?: readonly Rule<F>[]
  /** Run after the deletion rules, while all rows to be deleted are still there. */
  readonly beforeDelete?: readonly EffectFunction<F>[]
  /** Recomputes for the whole table what the effects keep up to date; run after an import. */
  readonly rebuild?: (database: Queryable) => Promise<void>
  /**
   * Rows of tables without a collection of their own, extracted from an object of an API response. An import reads such
   * rows this way.
   */
  readonly unfold?: (object: JsonObject) => readonly EmbeddedRow[]
}

/** Behaviour of one model, checked against its fields, then handled like any other. */
export const behaviour = <F extends Fields>(
  model: Definition<F>,
  parts: Omit<Behaviour<F>, 'model'>,
): Behaviour => ({ model, ...parts }) as unknown as Behaviour

/** Rules only: the usual case. */
export const rulesFor = <F extends Fields>(
  model: Definition<F>,
  ...rules: readonly Rule<F>[]
): Behaviour => behaviour(model, { modelRules: rules })

export type { Field, Row }
