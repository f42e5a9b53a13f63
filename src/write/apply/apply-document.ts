import { invalid, type Messages } from '../../base/errors.ts'
import { rowSecurityOf } from '../../identity/permitted-rows.ts'
import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { WriteContext } from '../context.ts'
import { defineCustomModels } from '../define-custom-models.ts'
import { takeUpsertLocks } from '../save/locks.ts'
import { requireUpsert, type UpsertOutcome, unchangedBodies, upsertMatched } from '../upsert/upsert-objects.ts'
import { type ApplyDocument, readApplyDocument } from './document.ts'
import { type Identified, identifyBodies, isIdentifiedByOwn } from './identify.ts'
import { inOrder, type Pass } from './order.ts'
import { Pruning } from './prune.ts'
import { withTypedReferences } from './references-by-type.ts'

/** Effect of a document on an object that it lists or omits. */
export type ApplyOutcome = UpsertOutcome | 'deleted'

/** An object after a document has been applied. */
export interface Applied {
  readonly model: Model
  readonly id: number
  readonly outcome: ApplyOutcome
}

/**
 * Makes the objects match a document: creates them, changes them, or leaves them unchanged, and deletes the objects
 * within its scope that it does not list. Returns them in the order of the writes. Throws `invalid` with the errors by
 * object type, in the order of the document.
 */
export async function applyDocument(context: WriteContext, document: unknown): Promise<readonly Applied[]> {
  const applied: Applied[] = []
  let current = context
  for (const part of partsOf(document)) {
    applied.push(...(await applyPart(current, part)))
    const service = await defineCustomModels(current)
    if (!service) continue
    context.journal.continueWith(service)
    current = { ...current, service, security: rowSecurityOf(context.actor, service.registry, service.settings) }
  }
  return applied
}

/** Models whose rows declare others: packs, the types with their fields, then what may belong to all of these. */
const STAGES: readonly (readonly string[])[] = [
  [SYSTEM.pack],
  [SYSTEM.customFieldChoiceSet, SYSTEM.customObjectType, SYSTEM.customObjectField],
  [SYSTEM.computedField],
]

/** The parts of a document, each of which may have objects of the models that those before it declare. */
function partsOf(document: unknown): readonly unknown[] {
  if (!isJsonObject(document) || !isJsonObject(document.objects)) return [document]
  const { prune: _, ...parts } = document
  const entries = Object.entries(document.objects)
  const hasTypes = entries.some(([name]) => name === SYSTEM.customObjectType || name === SYSTEM.customObjectField)
  const stages = STAGES.filter((names) => !names.includes(SYSTEM.customObjectType) || hasTypes)
  const stageOf = (name: string) => stages.findIndex((names) => names.includes(name))
  const of = (stage: number): JsonObject => Object.fromEntries(entries.filter(([name]) => stageOf(name) === stage))
  const declaring = stages.map((_stage, index) => of(index)).filter((objects) => Object.keys(objects).length > 0)
  const remaining = of(-1)
  if (declaring.length === 0 || (declaring.length === 1 && Object.keys(remaining).length === 0)) return [document]
  return [...declaring.map((objects) => ({ ...parts, objects })), { ...document, objects: remaining }]
}

async function applyPart(context: WriteContext, document: unknown): Promise<readonly Applied[]> {
  const { registry } = context.service
  const read = readApplyDocument(registry, document)
  const { scope } = read
  const pruning = scope && new Pruning(context, { ...read, scope })
  const application = new Application(context, read, pruning)
  const passes = inOrder(registry, read.desired)
  const written = passes.filter(({ bodies }) => bodies.length > 0).map(({ model }) => model)
  if (written.length > 0) takeUpsertLocks(context, written)
  for (const pass of passes) await application.write(pass)
  for (const pass of passes) await application.writePostponed(pass)
  await pruning?.afterWrites()
  const deleted = (pruning?.pruned ?? []).map((object) => ({ ...object, outcome: 'deleted' as const }))
  return [...application.applied.values(), ...deleted]
}

/** The writes of a document. */
class Application {
  /** Objects by their bodies in the document. */
  readonly applied = new Map<JsonObject, Applied>()
  readonly #context: WriteContext
  readonly #document: ApplyDocument
  readonly #pruning: Pruning | undefined
  /** Bodies whose objects have all their values, including those that the second pass would write. */
  readonly #unchanged = new Set<JsonObject>()

  constructor(context: WriteContext, document: ApplyDocument, pruning: Pruning | undefined) {
    this.#context = context
    this.#document = document
    this.#pruning = pruning
  }

  /** Writes the objects of a model, without postponed fields. */
  async write(pass: Pass): Promise<void> {
    const { model, bodies } = pass
    if (bodies.length > 0) requireUpsert(this.#context, model)
    if (isIdentifiedByOwn(model)) {
      for (const level of levelsOf(model, bodies)) {
        await this.#writeIdentified(pass, await this.#identify(pass, level))
      }
    } else {
      const identified = await this.#identify(pass, bodies)
      await this.#pruning?.beforeWrites(model)
      await this.#writeIdentified(pass, identified)
    }
  }

  /** Writes the postponed fields of its objects. */
  async writePostponed({ model, bodies, postponed }: Pass): Promise<void> {
    const later = bodies.filter(
      (body) => !this.#unchanged.has(body) && postponed.some((name) => body[name] !== undefined),
    )
    const names = [...postponed, 'changelog_message']
    const fields = later.map((body) => only(body, (name) => names.includes(name)))
    const errors = new Map<JsonObject, Messages>()
    const resolved = await withTypedReferences(this.#context, fields, (position, field, messages) => {
      const body = later[position]
      if (body) errors.set(body, { [field]: messages })
    })
    if (errors.size > 0) throw this.#refused(model, errors)
    await this.#upsert(
      model,
      later.map((original, position) => ({
        ...{ original, body: resolved[position] ?? {} },
        match: { id: this.applied.get(original)?.id },
      })),
    )
  }

  async #identify({ model, postponed }: Pass, bodies: readonly JsonObject[]): Promise<readonly Identified[]> {
    const identified = await identifyBodies(this.#context, model, bodies, {
      postponed,
      refused: (errors) => this.#refused(model, errors),
    })
    const ids = identified.flatMap(({ match }) => ('id' in match && match.id ? [match.id] : []))
    this.#pruning?.keep(model, ids)
    return identified
  }

  async #writeIdentified({ model, postponed }: Pass, identified: readonly Identified[]): Promise<void> {
    const unchanged = await unchangedBodies(
      this.#context,
      model,
      identified.map(({ body }) => body),
      identified.map(({ match }) => match),
    )
    const differing: Identified[] = []
    for (const [position, object] of identified.entries()) {
      const { original, body, match } = object
      if (unchanged.has(position) && 'id' in match && match.id !== undefined) {
        this.#unchanged.add(original)
        this.applied.set(original, { model, id: match.id, outcome: 'unchanged' })
      } else {
        differing.push({ ...object, body: only(body, (name) => !postponed.includes(name)) })
      }
    }
    const byOriginal = new Map(differing.map((object) => [object.original, object]))
    for (const level of levelsOf(model, [...byOriginal.keys()])) {
      await this.#upsert(
        model,
        level.flatMap((original) => byOriginal.get(original) ?? []),
      )
    }
  }

  async #upsert(model: Model, identified: readonly Identified[]): Promise<void> {
    if (identified.length === 0) return
    const { message } = this.#document
    const results = await upsertMatched(
      this.#context,
      model,
      identified.map(({ body }) => ({ ...(message && { changelog_message: message }), ...body })),
      identified.map(({ match }) => match),
      {
        refusal: (messages) =>
          this.#refused(
            model,
            new Map(
              identified.flatMap(({ original }, index) => {
                const errors = messages[index]
                return errors ? [[original, errors] as const] : []
              }),
            ),
          ),
      },
    )
    const adjusted: Identified[] = []
    for (const [index, object] of identified.entries()) {
      const { id, outcome, isAdjusted } = results[index] ?? {}
      if (id === undefined || outcome === undefined) continue
      const { original } = object
      this.applied.set(original, merged(this.applied.get(original), { model, id, outcome }))
      if (isAdjusted) adjusted.push({ ...object, match: { id } })
    }
    this.#pruning?.keep(
      model,
      results.map(({ id }) => id),
    )
    // Their changes have no further effects.
    await this.#upsert(model, adjusted)
  }

  /** The error of a model's bodies: a list in the order of the document. */
  #refused(model: Model, errors: ReadonlyMap<JsonObject, Messages>): Error {
    const bodies = this.#document.desired.get(model) ?? []
    return invalid({ objects: { [model.name]: bodies.map((body) => errors.get(body) ?? {}) } })
  }
}

const only = (body: JsonObject, isPart: (name: string) => boolean): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([name]) => isPart(name)))

/** The outcome of both passes of an object. */
const merged = (first: Applied | undefined, last: Applied): Applied =>
  first && (first.outcome === 'created' || last.outcome === 'unchanged') ? first : last

/**
 * The bodies in groups, each after the bodies that its objects refer to within the same model: parents before their
 * children.
 */
function levelsOf(model: Model, bodies: readonly JsonObject[]): readonly (readonly JsonObject[])[] {
  const parentFields = [...model.fields].flatMap(([name, field]) =>
    field.kind === 'foreignKey' && field.to === model.name ? [name] : [],
  )
  if (parentFields.length === 0) return [bodies]
  const levels = new Map<JsonObject, number>()
  const find = finderOf(bodies)
  const levelOf = (body: JsonObject, seen: ReadonlySet<JsonObject>): number => {
    const computedLevel = levels.get(body)
    if (computedLevel !== undefined || seen.has(body)) return computedLevel ?? 0
    const ancestors = new Set([...seen, body])
    const parents = parentFields.flatMap((name) => find(body[name]))
    const level = Math.max(0, ...parents.map((parent) => levelOf(parent, ancestors) + 1))
    levels.set(body, level)
    return level
  }
  for (const body of bodies) levelOf(body, new Set())
  const groups = Map.groupBy(bodies, (body) => levels.get(body) ?? 0)
  return [...groups].toSorted(([left], [right]) => left - right).map(([, list]) => list)
}

/** Finds the bodies with the attributes of a reference, by an index for each set of attribute names. */
function finderOf(bodies: readonly JsonObject[]): (reference: unknown) => readonly JsonObject[] {
  const indexes = new Map<string, ReadonlyMap<string, readonly JsonObject[]>>()
  const valuesOf = (names: readonly string[], object: JsonObject): string =>
    JSON.stringify(names.map((name) => object[name] ?? null))
  return (reference) => {
    if (!isJsonObject(reference)) return []
    const names = Object.keys(reference).toSorted()
    const signature = names.join()
    const index = indexes.get(signature) ?? Map.groupBy(bodies, (body) => valuesOf(names, body))
    indexes.set(signature, index)
    return index.get(valuesOf(names, reference)) ?? []
  }
}
