import { forbidden, invalid, type Messages } from '../../base/errors.ts'
import { mayAct, permittedRows, requirePermission } from '../../identity/permitted-rows.ts'
import { isJsonObject } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import { UploadedFile } from '../../schema/uploaded-file.ts'
import { requireAccess, selectTargets } from '../access.ts'
import { requestDefaults, type WriteContext } from '../context.ts'
import { type Draft, errorMessagesOf } from '../draft.ts'
import { parseBody } from '../parse/body.ts'
import { withTypeNames } from '../parse/type-ids.ts'
import { isSameRow } from '../record/changed-fields.ts'
import { type DraftRow, loadRows, type StoredRow } from '../rows.ts'
import { takeUpsertLocks } from '../save/locks.ts'
import { saveObjects } from '../save/save-objects.ts'
import { demandMessages } from '../validate/demanded-messages.ts'
import { judgeSaved } from '../validate/refusing-rules.ts'
import { resolveDrafts, validateResolved } from '../validate/validate.ts'
import { sameValue } from '../values.ts'
import { type MatchedObject, matchObjects } from './match.ts'
import { unchangedDrafts } from './unchanged.ts'

/** Effect of an upsert on an object. */
export type UpsertOutcome = 'created' | 'updated' | 'unchanged'

/** An object after an upsert. */
interface Upserted {
  readonly id: number
  readonly outcome: UpsertOutcome
  /**
   * Whether its creation has stored values that differ from the body, for example values derived from its type in place
   * of empty ones.
   */
  readonly isAdjusted: boolean
}

interface UpsertOptions {
  readonly ignores?: ((name: string) => boolean) | undefined
  /**
   * Receives the errors of all bodies, in their order, if the write is refused; the write then throws the returned
   * error.
   */
  readonly refusal?: ((messages: readonly (Messages | undefined)[]) => Error) | undefined
}

/**
 * Creates the objects that do not exist yet, by the fields `match`, and changes the named fields of the existing ones,
 * all or none. Objects that already have these values are not written. Returns the objects in the order of the bodies.
 * Throws ApiError with a list of errors.
 */
export async function upsertObjects(
  context: WriteContext,
  { name }: Pick<Model, 'name'>,
  bodies: readonly unknown[],
  { match, ...options }: UpsertOptions & { readonly match: readonly string[] },
): Promise<readonly Upserted[]> {
  const model = context.service.registry.model(name)
  requireUpsert(context, model)
  takeUpsertLocks(context, [model])
  const matches = await matchObjects(context, model, bodies, match)
  return await upsertMatched(context, model, bodies, matches, options)
}

/** Throws unless the user may create or change objects of the model. */
export function requireUpsert(context: WriteContext, model: Model): void {
  const { settings } = context.service
  if (!mayAct(context.actor, 'add', model, settings)) {
    requirePermission(context.actor, 'change', model, settings)
  }
}

/** As `upsertObjects`, for objects that are already matched and locked. */
export async function upsertMatched(
  context: WriteContext,
  model: Model,
  bodies: readonly unknown[],
  matches: readonly MatchedObject[],
  options: UpsertOptions,
): Promise<readonly Upserted[]> {
  const drafts = await draftsOf(context, model, bodies, matches, { ...options, lock: true })
  const customFields = await resolveDrafts(context, drafts.filter(isDraft))
  const existing = drafts.filter(isDraft).filter(({ previous }) => previous !== undefined)
  const unchanged = await unchangedDrafts(context, existing, customFields)
  const isOf = (mode: Draft['mode']) => (draft: Draft) => draft.mode === mode && !unchanged.has(draft)
  const changes = drafts.filter(isDraft).filter(isOf('change'))
  const creations = drafts.filter(isDraft).filter(isOf('create'))
  demandMessages(context, model, [...changes, ...creations])
  // Changes come first: they may free a name for a new object.
  await validateResolved(context, changes, customFields)
  refuseErrors(drafts, changes, options)
  const updated = changes.filter((draft) => !isSameRow(model, draft) || hasInputs(draft))
  await saveChanges(context, model, updated)
  const parsed = new Map(creations.map((draft) => [draft, { ...draft.next }]))
  await validateResolved(context, creations, customFields)
  refuseErrors(drafts, creations, options)
  await saveCreations(context, model, creations)
  await judgeSaved(context, model, [...updated, ...creations])
  refuseErrors(drafts, [...updated, ...creations], options)
  const written = new Set(updated)
  return drafts.filter(isDraft).map((draft) => ({
    id: draft.next.id,
    outcome: draft.previous ? (written.has(draft) ? 'updated' : 'unchanged') : 'created',
    isAdjusted: isAdjusted(draft, parsed.get(draft)),
  }))
}

/** Whether a sent value differs from the stored one; of a file, the path is stored. */
const isAdjusted = ({ model, sent, next }: Draft, parsed: DraftRow | undefined): boolean =>
  parsed !== undefined &&
  [...model.columns.values()].some(
    (column) =>
      sent.has(column.key) &&
      !(parsed[column.key] instanceof UploadedFile) &&
      !sameValue(column, next[column.key], parsed[column.key]),
  )

/**
 * Positions of the bodies whose matching object has all their values. Bodies with errors are never among them. Locks no
 * rows.
 */
export async function unchangedBodies(
  context: WriteContext,
  model: Model,
  bodies: readonly unknown[],
  matches: readonly MatchedObject[],
): Promise<ReadonlySet<number>> {
  const isExisting = (match: MatchedObject | undefined) => match && 'id' in match && match.id
  const positions = [...bodies.keys()].filter((position) => isExisting(matches[position]))
  const drafts = await draftsOf(
    context,
    model,
    positions.map((position) => bodies[position]),
    positions.flatMap((position) => matches[position] ?? []),
    { lock: false },
  )
  const sound = drafts.filter(isDraft)
  const customFields = await resolveDrafts(context, sound)
  const unchanged = await unchangedDrafts(context, sound, customFields)
  return new Set(
    positions.filter((_, index) => {
      const draft = drafts[index]
      return draft && isDraft(draft) && unchanged.has(draft)
    }),
  )
}

type DraftOrMessages = Draft | { readonly messages: Messages }

const isDraft = (result: DraftOrMessages): result is Draft => 'model' in result

/** Whether the body has fields that are stored in other tables, such as the ends of a cable. */
const hasInputs = ({ model, sent }: Draft): boolean =>
  [...sent].some((name) => ['computed', 'derived'].includes(model.fields.get(name)?.kind ?? ''))

async function draftsOf(
  context: WriteContext,
  model: Model,
  bodies: readonly unknown[],
  matches: readonly MatchedObject[],
  { ignores, lock }: Pick<UpsertOptions, 'ignores'> & { readonly lock: boolean },
): Promise<readonly DraftOrMessages[]> {
  const ids = matches.flatMap((match) => ('id' in match && match.id ? [match.id] : []))
  const stored = new Map((await loadChangeable(context, model, ids, { lock })).map((row) => [row.id, row]))
  // Objects that the user may view but not change.
  if (stored.size < ids.length) throw forbidden()
  const typed = await withTypeNames(context, model, bodies)
  return typed.map((body, position) => {
    const match = matches[position]
    if (match && 'messages' in match) return match
    const previous = match?.id === undefined ? undefined : stored.get(match.id)
    const draft = parseBody(context.service.registry, model, {
      ...{ body, previous, ignores },
      mode: previous ? 'change' : 'create',
      defaults: requestDefaults(context),
    })
    keepStoredTexts(draft, body)
    return draft
  })
}

/**
 * Text values that equal the stored ones are kept as they are: otherwise leading and trailing spaces, which imported
 * texts may have, would be cut.
 */
function keepStoredTexts({ sent, previous, next }: Draft, body: unknown): void {
  if (!previous || !isJsonObject(body)) return
  for (const name of sent) {
    const text = body[name]
    if (typeof text === 'string' && text === previous[name]) next[name] = text
  }
}

/** The rows that the user may change, in any order: the model's order costs as much as reading them. */
async function loadChangeable(
  context: WriteContext,
  model: Model,
  ids: readonly number[],
  { lock }: { readonly lock: boolean },
): Promise<readonly StoredRow[]> {
  if (ids.length === 0) return []
  const { service, transaction, actor } = context
  const permitted = permittedRows(actor, 'change', model, service.settings)
  const targets = permitted === 'all' ? ids : await selectTargets(context, 'change', model, ids)
  return await loadRows(service, transaction, model, targets, { lock })
}

/** Throws if one of the bodies, or of the last validated drafts, is refused. */
function refuseErrors(
  drafts: readonly DraftOrMessages[],
  validated: readonly Draft[],
  { refusal }: UpsertOptions,
): void {
  const isRefused = drafts.some((result) => !isDraft(result)) || validated.some(errorMessagesOf)
  if (!isRefused) return
  const messages = drafts.map((result) => (isDraft(result) ? errorMessagesOf(result) : result.messages))
  throw refusal?.(messages) ?? invalid(messages.map((errors) => errors ?? {}))
}

async function saveChanges(context: WriteContext, model: Model, drafts: readonly Draft[]): Promise<void> {
  if (drafts.length === 0) return
  const ids = drafts.map(({ next }) => next.id)
  context.journal.noteNamed(model, ids)
  await saveObjects(context, model, drafts, { on: 'update' })
  await requireAccess(context, 'change', model, ids)
}

async function saveCreations(context: WriteContext, model: Model, drafts: readonly Draft[]): Promise<void> {
  if (drafts.length === 0) return
  requirePermission(context.actor, 'add', model, context.service.settings)
  await saveObjects(context, model, drafts, { on: 'create' })
  await requireAccess(
    context,
    'add',
    model,
    drafts.map(({ next }) => next.id),
  )
}
