import { ConfigurationError, invalid } from '../base/errors.ts'
import type { Transaction } from '../db/database.ts'
import { ConstraintViolation } from '../db/failures.ts'
import { absentPluginsIn } from '../db/migrate/absent-plugins.ts'
import { lockSchema, migrateWithin } from '../db/migrate/migrate.ts'
import { labelsOf } from '../models/custom-models/custom-models.ts'
import { type CustomModels, storedCustomModels } from '../models/custom-models/stored-types.ts'
import { targetsOf } from '../models/custom-models/target-model.ts'
import { compileExpression } from '../read/expression/compile-expression.ts'
import {
  canCompute,
  existingCustomFields,
  NOT_COMPUTABLE,
  unknownCustomField,
} from '../read/expression/try-expressions.ts'
import type { Registry } from '../schema/registry.ts'
import { becomeCurrent, type Service, withRegistry } from '../service.ts'
import { volatile } from '../sql/fragment.ts'
import type { Queryable } from '../sql/queryable.ts'
import { DEFINING } from '../write/define-custom-models.ts'
import { type Application, checkExpression, namesOfPacks, withCustomModels } from './plugins/application.ts'
import { checkModels, checkPack } from './plugins/check-plugin.ts'

/** Milliseconds to wait for each table that requests are using. */
const LOCK_TIMEOUT = 3_000
/** What the existing objects lack, by the code of PostgreSQL's error: unique_violation, not_null_violation. */
const UNMET: Readonly<Record<string, string>> = {
  '23505': 'There are objects with equal values already.',
  '23502': 'There are objects without a value for a field that would be required.',
}

type RegistryFor = (application: Application) => Registry

/** A program with the custom models of a database. */
export interface Defined {
  readonly application: Application
  readonly registry: Registry
}

/** The program with the custom models of the database, which may be of an earlier version, or empty. */
export async function definedIn(queryable: Queryable, plain: Application, registryFor: RegistryFor): Promise<Defined> {
  return definedBy(plain, await storedCustomModels(queryable), registryFor)
}

/** The program with these custom models. Packs with which it cannot be used are left out. */
function definedBy(plain: Application, stored: CustomModels, registryFor: RegistryFor): Defined {
  try {
    const application = withCustomModels({ ...plain, unusable: new Map() }, stored)
    return { application, registry: checkedRegistry(application, registryFor) }
  } catch (error) {
    const usable = withoutBrokenPacks(plain, stored, registryFor)
    if (usable) return usable
    throw new ConfigurationError(
      `The custom object types of the database cannot be used: ${messageOf(error)}. A plugin that they refer to may be missing from PLUGINS.`,
    )
  }
}

/**
 * The program without those packs with which it cannot be used, each with the reason; undefined if it cannot be used
 * without any packs either.
 */
function withoutBrokenPacks(plain: Application, stored: CustomModels, registryFor: RegistryFor): Defined | undefined {
  const names = namesOfPacks(plain, stored.packs)
  const unusable = new Map(names.map((name) => [name, '']))
  const attempt = (): Defined => {
    const application = withCustomModels({ ...plain, unusable: new Map(unusable) }, stored)
    return { application, registry: checkedRegistry(application, registryFor) }
  }
  let usable: Defined | undefined
  try {
    usable = attempt()
  } catch {
    return undefined
  }
  // A pack may refer to models of a later one.
  for (let added = true; added; ) {
    added = false
    for (const name of [...unusable.keys()]) {
      unusable.delete(name)
      try {
        usable = attempt()
        added = true
      } catch (error) {
        unusable.set(name, messageOf(error))
      }
    }
  }
  return usable && { ...usable, application: { ...usable.application, unusable } }
}

/** The registry, whose packs have been checked. Throws an Error that names the model. */
function checkedRegistry(application: Application, registryFor: RegistryFor): Registry {
  const packs = application.plugins.filter(({ pack }) => pack !== undefined)
  for (const pack of packs) checkPack(pack, application.plugins)
  const registry = registryFor(application)
  if (packs.length > 0) checkModels(registry)
  return registry
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** A service with the program whose models it has. */
interface Generation {
  readonly service: Service
  readonly application: Application
}

/**
 * The custom models, which users define while the service runs. Each change makes a new service with a new registry. A
 * request keeps the service with which it began.
 */
export class Generations {
  readonly #registryFor: RegistryFor
  readonly #warn: (sentence: string) => void
  /** What the latest write has built: its commit makes it current. */
  #built: Defined | undefined
  #current: Generation
  #isStale = false
  #isClosed = false
  #loading: Promise<Generation> | undefined
  readonly #listeners: ((replaced: Service) => void)[] = []

  constructor(
    { service, application }: Generation,
    { registryFor, warn }: { readonly registryFor: RegistryFor; readonly warn: (sentence: string) => void },
  ) {
    this.#registryFor = registryFor
    this.#warn = warn
    this.#current = { service: this.#definable(service, application), application }
    becomeCurrent(this.#current.service)
    service.cache.log.watch(DEFINING, () => {
      this.#isStale = true
      setImmediate(() => void this.#refreshed())
    })
  }

  /** The service that the latest request got. */
  get current(): Generation {
    return this.#current
  }

  /** The service with all models that have been defined so far. */
  latest(): Generation | Promise<Generation> {
    return this.#isStale || this.#loading ? this.#refreshed() : this.#current
  }

  /** The service with the models that the database contains now, over new connections. */
  async renewed(): Promise<Generation> {
    this.#current.service.database.reconnect?.()
    this.#isStale = true
    return await this.#refreshed()
  }

  /** Calls `listener` with the service that is replaced. */
  follow(listener: (replaced: Service) => void): void {
    this.#listeners.push(listener)
  }

  /** Waits until no generation is being loaded; from then on, none is. A command ends soon after its last change. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#loading
  }

  /** Loads the types until no change is newer. If the database cannot be read, the next request tries again. */
  async #refreshed(): Promise<Generation> {
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined
    })
    return await this.#loading
  }

  async #load(): Promise<Generation> {
    // A change during the loading is newer than what has been loaded.
    while (this.#isStale && !this.#isClosed) {
      this.#isStale = false
      try {
        await this.#replace()
      } catch (error) {
        // Requests of the models that are known so far are answered.
        this.#warn(`The custom object types cannot be read: ${messageOf(error)}`)
        this.#isStale = true
        return this.#current
      }
    }
    return this.#current
  }

  async #replace(): Promise<void> {
    const { service, application } = this.#current
    const stored = await storedCustomModels(service.database)
    if (isSame(stored, application)) return
    const changed = this.#builtFor(stored) ?? definedBy(application, stored, this.#registryFor)
    this.#built = undefined
    const absent = await absentPluginsIn(service.database, changed.registry)
    const next = {
      service: this.#definable(
        withRegistry(
          service,
          changed.registry,
          absent.flatMap(({ relations }) => relations),
        ),
        changed.application,
      ),
      application: changed.application,
    }
    service.database.reconnect?.()
    this.#current = next
    becomeCurrent(next.service)
    for (const listener of this.#listeners) listener(service)
  }

  /** What a write has built, if the database contains the same custom models now. */
  #builtFor(stored: CustomModels): Defined | undefined {
    return this.#built && isSame(stored, this.#built.application) ? this.#built : undefined
  }

  /** The service, whose writes can change the types. */
  #definable(service: Service, application: Application): Service {
    const define = async (transaction: Transaction): Promise<Service> => {
      const defined = await defineWithin(transaction, application, this.#registryFor)
      if (!defined) return definable
      this.#built = defined
      return this.#definable(withRegistry(service, defined.registry, service.absentRelations), defined.application)
    }
    const definable: Service = {
      ...service,
      get settings() {
        return service.settings
      },
      define,
      redefined: async () => (await this.latest()).service,
    }
    return definable
  }
}

/** Whether the program already has the custom models that are stored. */
const isSame = (stored: CustomModels, application: Application): boolean => {
  const content = ({ packs, ...rest }: CustomModels) =>
    JSON.stringify([rest, namesOfPacks(application, packs), packs.filter(({ document }) => document !== null)])
  return content(stored) === content(application.customModels)
}

/**
 * Brings the tables in line with the custom models as the transaction has written them, and returns the program with them;
 * undefined if `current` already has them. Throws `invalid` if they cannot be used. Only one transaction at a
 * time does this.
 */
async function defineWithin(
  transaction: Transaction,
  current: Application,
  registryFor: RegistryFor,
): Promise<Defined | undefined> {
  await lockSchema(transaction)
  const stored = await storedCustomModels(transaction)
  if (isSame(stored, current)) return undefined
  refuseLostTargets(stored, current.customModels)
  const { application, registry } = checked(() => {
    const changed = withCustomModels({ ...current, unusable: new Map() }, stored)
    const models = checkedRegistry(changed, registryFor)
    checkComputedFields(models, changed)
    return { application: changed, registry: models }
  })
  // A table cannot be changed while checks of its rows are pending.
  await transaction.execute(volatile`set constraints all immediate`)
  await transaction.execute(volatile`set constraints all deferred`)
  try {
    await migrateWithin(transaction, registry, application.steps, { whileServed: true, lockTimeout: LOCK_TIMEOUT })
  } catch (error) {
    // A required field that is new, or that objects lack.
    if (error instanceof ConfigurationError) throw invalid({ non_field_errors: [error.message] })
    const reason = error instanceof ConstraintViolation ? UNMET[error.code] : undefined
    if (reason === undefined) throw error
    throw invalid({ non_field_errors: [reason] })
  }
  await tryComputedFields(transaction, registry, application, current)
  await rebuildNewPacks(transaction, registry, application, current)
  return { application, registry }
}

/** Recomputes what the effects of packs maintain that are on now: nothing has run them while a pack was off. */
async function rebuildNewPacks(
  transaction: Transaction,
  { models }: Registry,
  { plugins }: Application,
  { plugins: before }: Application,
): Promise<void> {
  const former = new Set(before.map(({ name }) => name))
  for (const plugin of plugins) {
    if (!plugin.pack || former.has(plugin.name)) continue
    for (const { name } of plugin.models) await models.get(name)?.behaviour?.rebuild?.(transaction)
  }
}

/** Throws `invalid` unless the database can compute the fields that the change concerns. */
async function tryComputedFields(
  transaction: Transaction,
  registry: Registry,
  { customModels }: Application,
  { customModels: before }: Application,
): Promise<void> {
  const unchanged = new Set(before.computed.map((row) => JSON.stringify(row)))
  const isNew = (row: (typeof customModels.computed)[number]) => !unchanged.has(JSON.stringify(row))
  const areTypesEqual = JSON.stringify(customModels.types) === JSON.stringify(before.types)
  const changed = areTypesEqual ? customModels.computed.filter(isNew) : customModels.computed
  for (const [name, rows] of Map.groupBy(changed, ({ object_type }) => object_type)) {
    const model = registry.models.get(name)
    if (!model) continue
    const compiled = rows.map(({ expression }) => compileExpression(model, expression))
    const added = compiled.filter((_expression, index) => rows[index] && isNew(rows[index]))
    const unknown = await unknownCustomField(existingCustomFields(transaction), added)
    if (unknown !== undefined) throw invalid({ expression: [unknown] })
    if (await canCompute(transaction, model, compiled)) continue
    throw invalid({ expression: [`${NOT_COMPUTABLE} Computed fields: ${rows.map((row) => row.name).join(', ')}.`] })
  }
}

/** Throws `invalid` if a field of another type refers to a type that has been removed. */
function refuseLostTargets({ types }: CustomModels, before: CustomModels): void {
  const present = new Set(types.map(({ type }) => type.object_type_name))
  const removed = before.types.filter(({ type }) => !present.has(type.object_type_name))
  for (const { type: target } of removed) {
    for (const { type, fields } of types) {
      const field = fields.find(({ row }) => targetsOf(row).includes(target.object_type_name))?.row
      if (!field) continue
      throw invalid({
        non_field_errors: [
          `The type ${labelsOf(target)[0]} cannot be removed, because the field ${field.name} of the type ${labelsOf(type)[0]} refers to it. Remove the field first.`,
        ],
      })
    }
  }
}

/** The result of `build`; an error in the declarations is one of the request that has written them. */
function checked<T>(build: () => T): T {
  try {
    return build()
  } catch (error) {
    throw invalid({ non_field_errors: [`${messageOf(error).replace(/\.$/, '')}.`] })
  }
}

/** Throws an Error that names the computed field if an expression refers to something that does not exist any more. */
function checkComputedFields(registry: Registry, { customModels: { computed } }: Application): void {
  const check = checkExpression(() => registry)
  for (const { object_type, name, expression } of computed) {
    if (!registry.models.has(object_type)) continue
    const result = check(object_type, '', expression)
    if ('problem' in result) throw new Error(`The computed field ${name} of ${object_type}: ${result.problem}`)
  }
}
