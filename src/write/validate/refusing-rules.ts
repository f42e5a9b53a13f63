import { invalid } from '../../base/errors.ts'
import { compileExpression } from '../../read/expression/compile-expression.ts'
import { T } from '../../read/query/alias.ts'
import { columnOf } from '../../read/query/column.ts'
import { displayOf } from '../../read/query/display.ts'
import { applyRowSecurity } from '../../read/query/row-security.ts'
import { affectedObjects, isAffected, type Touched, touchedOf } from '../../read/rules/affected-objects.ts'
import { type CompiledRule, usableRules } from '../../read/rules/compile-rule.ts'
import { oncePer } from '../../schema/once-per.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { join, type Sql, sql, volatile } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { cachedDefinitions } from '../cached.ts'
import type { WriteContext } from '../context.ts'
import { addRefusal, type Draft } from '../draft.ts'

/** The rules that refuse writes. Nearly always cached. */
export async function refusingRules(context: WriteContext): Promise<readonly CompiledRule[]> {
  const { service, transaction } = context
  if (!service.registry.models.has(SYSTEM.rule)) return []
  const source = { registry: service.registry, database: transaction }
  return await cachedDefinitions(context, 'refusing rules', () => usableRules(source, sql`r.severity = 'refuse'`))
}

/** A condition that saved objects must not meet. */
interface Judgement {
  readonly isBroken: Sql
  readonly message: string
  readonly field: string
  /** Whether a write is judged at all. */
  readonly concerns: (draft: Draft) => boolean
}

/** The constraints that the declaration of the model contains. */
const constraintsOf = oncePer((model: Model): readonly Judgement[] =>
  (model.definition.constraints ?? []).map(({ expression, message, field = '__all__', changing }) => {
    const { sql: value } = compileExpression(model, expression)
    return {
      ...{ message, field, isBroken: sql`(${value(columnOf(model, T))}) is false` },
      concerns: ({ previous, next }) =>
        !changing || (previous !== undefined && changing.some((name) => previous[name] !== next[name])),
    }
  }),
)

/** Adds the messages of the rules and constraints that the saved objects break. */
export async function judgeSaved(context: WriteContext, model: Model, drafts: readonly Draft[]): Promise<void> {
  const rules = (await refusingRules(context)).filter((rule) => rule.model.name === model.name)
  const judgements: readonly Judgement[] = [
    ...constraintsOf(model),
    ...rules.map(({ isBroken, stored: { message } }) => ({
      isBroken,
      message,
      field: '__all__',
      concerns: () => true,
    })),
  ]
  const parts = judgements.flatMap(({ isBroken, concerns }, place) => {
    const ids = drafts.filter(concerns).map(({ next }) => next.id)
    return ids.length === 0
      ? []
      : [
          sql`select t.id, ${place}::integer as place from ${table(model)} t
            where t.id = any(${ids}::bigint[]) and ${isBroken}`,
        ]
  })
  if (parts.length === 0) return
  const broken = await context.transaction.query<{ id: number; place: number }>(join(parts, ' union all '))
  const byId = Map.groupBy(broken, ({ id }) => id)
  for (const draft of drafts) {
    for (const { place } of byId.get(draft.next.id) ?? []) {
      const judgement = judgements[place]
      if (judgement) addRefusal(draft, { [judgement.field]: [judgement.message] })
    }
  }
}

/**
 * Throws `invalid` if the transaction makes other objects break a rule that they did not break before: those from which
 * the rule's expression reaches what has changed.
 */
export async function refuseAffected(context: WriteContext): Promise<void> {
  // The rows of a branch are judged when they are saved, and again when it is merged.
  if (context.service.branch !== undefined) return
  const [broken] = await brokenRules(context, await refusingRules(context), 1)
  if (!broken) return
  const { model, stored } = broken.rule
  const [name] = broken.names
  const [label] = model.definition.labels
  const subject = name === undefined ? `a ${label} that you may not view` : `the ${label} ${name}`
  throw invalid({ __all__: [`After this change, ${subject} would break a rule: ${stored.message}`] })
}

/** Objects that break a rule. */
interface BrokenRule {
  readonly rule: CompiledRule
  readonly ids: readonly number[]
  /** Names of those objects that the writing user may view, in the order of their ids. */
  readonly names: readonly string[]
}

/**
 * The objects that break one of the rules because of what the transaction has changed. `most`: of how many objects it
 * returns ids and names; further rules are not judged then.
 */
export async function brokenRules(
  context: WriteContext,
  rules: readonly CompiledRule[],
  most: number,
): Promise<readonly BrokenRule[]> {
  const { service, transaction, security } = context
  const touched = rules.length === 0 ? new Map() : await ownTouches(context)
  if (touched.size === 0) return []
  const broken: BrokenRule[] = []
  let count = 0
  for (const rule of rules) {
    const { model, stored, isBroken } = rule
    const affected = await affectedObjects({ registry: service.registry, database: transaction }, rule, touched)
    if (affected !== 'all' && affected.size === 0) continue
    const ids = (
      await transaction.queryColumn(sql`
        select t.id from ${table(model)} t where ${isAffected(sql`t.id`, affected)} and ${isBroken} and not exists (
          select from ${table(SYSTEM.finding)} f
          where f.rule_id = ${stored.id}::bigint and f.object_type = ${model.name} and f.object_id = t.id)
        order by t.id limit ${most - count}::integer`)
    ).map(Number)
    if (ids.length === 0) continue
    const names = await transaction.queryColumn(
      applyRowSecurity(
        security,
        sql`
          select ${displayOf(model, sql`t`)} from ${table(model)} t where t.id = any(${ids}::bigint[]) order by t.id`,
      ),
    )
    broken.push({ rule, ids, names: names.map(String) })
    count += ids.length
    if (count >= most) break
  }
  return broken
}

/** What the transaction has changed in the tables that rules read. */
async function ownTouches({ transaction }: WriteContext): Promise<Touched> {
  return touchedOf(
    await transaction.query(volatile`
      select changed_table, number, ids::text as ids, others::text as others
      from ${table(SYSTEM.ruleTouch)} where number = cadastre_number()`),
  )
}
