import type { Column } from '../../schema/column.ts'
import type { Fields } from '../../schema/field.ts'
import { oncePer } from '../../schema/once-per.ts'
import type { Model } from '../../schema/registry.ts'
import type { Behaviour, Change, Normalizer, Read, Refusal, Rule } from '../../schema/rule.ts'
import type { WriteContext } from '../context.ts'
import { addRefusal, type Draft } from '../draft.ts'
import type { DraftRow } from '../rows.ts'
import { makeRead, type Overlay } from './rule-reads.ts'

type AnyRule = Rule<Fields>
type AnyPreparation = Normalizer<Fields>
type Stage<T> = (behaviour: Behaviour) => readonly T[] | undefined

/** The reader that all rules of a batch share. */
export function readOf(context: WriteContext, drafts: readonly Draft[]): Read {
  const overlay: Overlay = new Map(
    [...Map.groupBy(drafts, ({ model }) => model.name)].map(([name, list]) => [
      name,
      new Map(list.map(({ next }) => [next.id, next])),
    ]),
  )
  return makeRead(context.service, context.transaction, overlay, context.security)
}

/** Runs rules over the objects concurrently; for each object, only the first reason is reported. */
export async function runRules(
  context: WriteContext,
  read: Read,
  drafts: readonly Draft[],
  stage: Stage<AnyRule>,
): Promise<void> {
  const rules = rulesOf(drafts, stage)
  if (rules.length === 0) return
  // The same list for all, so that results for the batch can be cached by it.
  const batch = drafts.map(({ next }) => next)
  await Promise.all(
    drafts.map(async (draft) => {
      const refusal = await firstRefusal(rules, changeOf(context, read, batch, draft))
      if (refusal) addRefusal(draft, refusal)
    }),
  )
}

/** Runs normalizers one after the other, each over all objects concurrently. */
export async function runNormalizers(
  context: WriteContext,
  read: Read,
  drafts: readonly Draft[],
  stage: Stage<AnyPreparation>,
): Promise<void> {
  for (const prepare of rulesOf(drafts, stage)) {
    const batch = drafts.map(({ next }) => next)
    await Promise.all(
      drafts.map(async (draft) => {
        Object.assign(draft.next, await prepare(changeOf(context, read, batch, draft)))
      }),
    )
  }
}

/** Whether the value follows from other columns or rows, so that the undo of a deletion recomputes it. */
export const isDerived = (model: Model, { key, field }: Column): boolean =>
  ('compute' in field && field.compute !== undefined) ||
  ('maintained' in field && field.maintained === true) ||
  field.kind === 'counter' ||
  (key.startsWith('_') && !model.answer.includes(key) && field.kind === 'foreignKey') ||
  TREE_KEYS.has(key)

const TREE_KEYS: ReadonlySet<string> = new Set(['_level', '_ancestors', '_sort'])

/** The values of each draft's columns that depend on other columns or rows, by row key. */
export async function derivedValues(
  context: WriteContext,
  drafts: readonly Draft[],
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const copies = drafts.map((draft) => ({ ...draft, next: { ...draft.next } }))
  await runNormalizers(context, readOf(context, drafts), copies, ({ beforeSave }) => beforeSave)
  computeFields(copies)
  return copies.map(({ model, next }) =>
    Object.fromEntries(
      [...model.columns.values()].filter((column) => isDerived(model, column)).map(({ key }) => [key, next[key]]),
    ),
  )
}

/** Sets the fields that are computed from the row itself. */
export function computeFields(drafts: readonly Draft[]): void {
  for (const { model, next } of drafts) computeRow(model, next)
}

/** As `computeFields`, for one row. */
export function computeRow(model: Model, row: DraftRow): void {
  for (const { name, compute } of computedOf(model)) row[name] = compute(row)
}

const computedOf = oncePer((model: Model) =>
  [...model.fields].flatMap(([name, field]) => {
    const compute = 'compute' in field ? field.compute : undefined
    return compute ? [{ name, compute }] : []
  }),
)

const rulesOf = <T>([first]: readonly Draft[], stage: Stage<T>): readonly T[] =>
  (first?.model.behaviour && stage(first.model.behaviour)) ?? []

/**
 * The refusal of the first rule that refuses, in their order. They run concurrently, so that their lookups share round
 * trips to the database.
 */
async function firstRefusal(rules: readonly AnyRule[], change: Change<Fields>): Promise<Refusal | undefined> {
  const results = rules.map((rule) => started(rule, change))
  // Most rules compare values and return immediately.
  await Promise.allSettled(results.filter((result) => result instanceof Promise))
  for (const result of results) {
    const refusal = result instanceof Promise ? await result : result
    if (refusal && Object.keys(refusal).length > 0) return refusal
  }
  return undefined
}

/** The result of the rule. It may throw instead of returning a rejected promise. */
function started(rule: AnyRule, change: Change<Fields>): ReturnType<AnyRule> {
  try {
    return rule(change)
  } catch (error) {
    return Promise.reject(error)
  }
}

const changeOf = (
  { service, now, actor }: WriteContext,
  read: Read,
  batch: readonly DraftRow[],
  { next, previous, sent }: Draft,
): Change<Fields> => ({ next, previous, sent, read, settings: service.settings, now, user: actor.username, batch })
