import { ApiError, forbidden, invalid } from '../../base/errors.ts'
import { requirePermission } from '../../identity/permitted-rows.ts'
import { RefusedValue } from '../../read/query/refused-value.ts'
import { keysInOrder } from '../../schema/natural-key.ts'
import type { Model, Referrer } from '../../schema/registry.ts'
import { lockTargets } from '../access.ts'
import type { WriteContext } from '../context.ts'
import { visibleDisplays } from '../dry-run/affected-objects.ts'
import { objectKey } from '../related-object.ts'
import { deleteWithDependents } from '../remove/cascade.ts'
import { actionOf, findDependents, followReferences, type RowIds } from '../remove/find-dependents.ts'
import { takeLock } from '../save/locks.ts'
import { demandDeletionMessages } from '../validate/demanded-messages.ts'
import type { ApplyDocument } from './document.ts'
import { idsInScope, idsInScopeSoFar, type PruneScope } from './prune-scope.ts'

/** An object that was deleted because the document does not list it. */
interface Pruned {
  readonly model: Model
  readonly id: number
}

type PruningDocument = ApplyDocument & { readonly scope: PruneScope }

/**
 * Deletes the objects within the scope that the document does not list. Objects that nothing remaining refers to are
 * deleted before the writes of their model, to free their names and places; all others afterwards.
 */
export class Pruning {
  readonly pruned: Pruned[] = []
  readonly #context: WriteContext
  readonly #scope: PruneScope
  /** Models of the document. */
  readonly #models: ReadonlySet<Model>
  readonly #message: string
  /** Ids of the document's objects, by model, once they are known. */
  readonly #kept = new Map<Model, Set<number>>()

  constructor(context: WriteContext, { scope, desired, message }: PruningDocument) {
    this.#context = context
    this.#scope = scope
    this.#models = new Set(desired.keys())
    this.#message = message
  }

  /** Records objects of the document. */
  keep(model: Model, ids: Iterable<number>): void {
    const kept = this.#kept.get(model) ?? new Set()
    for (const id of ids) kept.add(id)
    this.#kept.set(model, kept)
  }

  /** Deletes objects of a model before it is written; all existing objects of the document must have been recorded. */
  async beforeWrites(model: Model): Promise<void> {
    const ids = this.#lacking(model, await idsInScopeSoFar(this.#context, this.#scope, model))
    const unneeded = ids.length === 0 ? [] : await this.#unneeded(model, ids)
    if (unneeded.length > 0) await this.#delete(new Map([[model, new Set(unneeded)]]))
  }

  /** Deletes the remaining ones, once everything is written. Throws `inUse` if a remaining object needs one of them. */
  async afterWrites(): Promise<void> {
    const targets = new Map<Model, ReadonlySet<number>>()
    for (const model of this.#scope.keys()) {
      const ids = this.#lacking(model, await this.#idsInScope(model))
      if (ids.length > 0) targets.set(model, new Set(ids))
    }
    if (targets.size > 0) await this.#delete(targets)
  }

  async #idsInScope(model: Model): Promise<readonly number[]> {
    try {
      return await idsInScope(this.#context, this.#scope, model)
    } catch (error) {
      if (error instanceof RefusedValue) throw invalid({ prune: [error.message] })
      throw error
    }
  }

  #lacking(model: Model, ids: readonly number[]): readonly number[] {
    const kept = this.#kept.get(model)
    return ids.filter((id) => !kept?.has(id))
  }

  /** The objects whose deletion does not require a change of a remaining object first. */
  async #unneeded(model: Model, ids: readonly number[]): Promise<readonly number[]> {
    const { deleted, references } = await followReferences(this.#context, new Map([[model, new Set(ids)]]))
    const staying = new Set<string>()
    const stays = (referring: Model, id: number) =>
      deleted.get(referring)?.has(id) !== true || staying.has(objectKey(referring.name, id))
    let waiting = references.filter(({ referrer }) => NEEDS.has(actionOf(referrer)))
    for (let size = -1; size < staying.size; ) {
      size = staying.size
      waiting = waiting.filter(({ referrer, id, target, to }) => {
        const isNeeded = stays(referrer.model, id) || this.#mayStay(referrer, id)
        if (isNeeded) staying.add(objectKey(to.name, target))
        return !isNeeded
      })
    }
    return ids.filter((id) => !stays(model, id))
  }

  /**
   * Whether the document lists, or may list, the dependent object. It cannot list an object that is identified by an
   * object that it omits.
   */
  #mayStay(referrer: Referrer, id: number): boolean {
    const kept = this.#kept.get(referrer.model)
    if (kept) return kept.has(id)
    if (!this.#models.has(referrer.model)) return false
    const name = referrer.kind === 'genericForeignKey' ? referrer.idColumn.key : referrer.name
    return !keysInOrder(referrer.model).some(({ fields }) => fields.includes(name))
  }

  async #delete(targets: RowIds): Promise<void> {
    const context = this.#context
    for (const [model, ids] of targets) {
      requirePermission(context.actor, 'delete', model, context.service.settings)
      takeLock(context, model)
      demandDeletionMessages(context, model, [this.#message])
      const permitted = await lockTargets(context, 'delete', model, [...ids])
      // Objects that the user may view but not delete.
      if (permitted.length < ids.size) throw forbidden()
      context.journal.noteNamed(model, [...ids])
    }
    const dependents = await findDependents(context, targets)
    await this.#refuseLosses(targets, dependents.deleted)
    const isTarget = (model: Model, id: number) => targets.get(model)?.has(id) === true
    await deleteWithDependents(context, dependents, (model, id) => (isTarget(model, id) ? this.#message : ''))
    for (const [model, ids] of targets) for (const id of ids) this.pruned.push({ model, id })
  }

  /** Refuses to delete listed objects together with those that are not listed. */
  async #refuseLosses(targets: RowIds, deleted: RowIds): Promise<void> {
    const lost = new Map(
      [...this.#kept].flatMap(([model, kept]) => {
        const ids = [...kept].filter((id) => deleted.get(model)?.has(id))
        return ids.length === 0 ? [] : [[model, new Set(ids)] as const]
      }),
    )
    if (lost.size === 0) return
    const [needed, needing] = await Promise.all([targets, lost].map((objects) => this.#displaysOf(objects)))
    throw new ApiError({
      kind: 'inUse',
      detail: `Unable to prune: the document lists ${needing}, which would be deleted together with objects that it does not list: ${needed}.`,
    })
  }

  async #displaysOf(objects: RowIds): Promise<string> {
    const displays = await visibleDisplays(this.#context, this.#context.transaction, objects)
    const texts = [...displays].flatMap(([{ name }, list]) => [...list.values()].map((display) => `${name} ${display}`))
    return texts.length > NAMED ? `${texts.slice(0, NAMED).join(', ')}, …` : texts.join(', ')
  }
}

/** Maximum number of objects in an error message. */
const NAMED = 5

/** Effects of a deletion on referring rows that require these rows to be deleted first. */
const NEEDS: ReadonlySet<string> = new Set(['cascade', 'protect', 'restrict'])
