import type { Messages } from '../../base/errors.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
import { type CompiledExpression, compileExpression } from '../../read/expression/compile-expression.ts'
import type { MayView } from '../../read/expression/names.ts'
import { canCompute, existingCustomFields, NOT_COMPUTABLE } from '../../read/expression/try-expressions.ts'
import { compileCondition } from '../../read/rules/compile-rule.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import type { WriteContext } from '../context.ts'
import { addRefusal, type Draft } from '../draft.ts'

/** Findings are about objects of their own, and not about rules, which change when they are evaluated. */
const mayHaveFindings = ({ name, path, definition }: Model): boolean =>
  !definition.private && !definition.visibleWith && path !== '' && name !== SYSTEM.rule

/** Refuses rules whose expression cannot be evaluated, or whose dynamic group has objects of another type. */
export async function checkRuleExpressions(context: WriteContext, drafts: readonly Draft[]): Promise<void> {
  if (drafts[0]?.model.name !== SYSTEM.rule) return
  const groups = await typesOfGroups(context, drafts)
  const customFields = existingCustomFields(context.transaction)
  for (const draft of drafts) {
    const { next, previous } = draft
    const model = context.service.registry.models.get(String(next.object_type))
    if (!model || !mayHaveFindings(model)) {
      addRefusal(draft, { object_type: 'Objects of this type cannot have rules.' })
      continue
    }
    if (next.group !== null && groups.get(Number(next.group)) !== model.name) {
      addRefusal(draft, { group: `The dynamic group has no objects of the type ${model.name}.` })
    }
    // A rule that can no longer be evaluated can still be renamed or switched off.
    const isSame = previous?.expression === next.expression && previous?.object_type === next.object_type
    const problem = isSame ? undefined : await problemOf({ ...context, customFields }, model, String(next.expression))
    if (problem !== undefined) addRefusal(draft, { expression: problem })
  }
}

async function typesOfGroups(
  { transaction }: WriteContext,
  drafts: readonly Draft[],
): Promise<ReadonlyMap<number, string>> {
  const ids = drafts.flatMap(({ next }) => (typeof next.group === 'number' ? [next.group] : []))
  if (ids.length === 0) return new Map()
  const rows = await transaction.query<{ id: number; object_type: string }>(sql`
    select g.id, g.object_type from ${table(SYSTEM.dynamicGroup)} g where g.id = any(${ids}::bigint[])`)
  return new Map(rows.map((row) => [row.id, row.object_type]))
}

async function problemOf(
  {
    service,
    transaction,
    actor,
    customFields,
  }: WriteContext & { readonly customFields: ReturnType<typeof existingCustomFields> },
  model: Model,
  expression: string,
): Promise<Messages | undefined> {
  const mayView: MayView = (viewed) => mayAct(actor, 'view', viewed, service.settings)
  const compiled = await compileCondition(customFields, () => compileExpression(model, expression, mayView))
  if ('problem' in compiled) return [compiled.problem]
  return (await isComputable(transaction, model, compiled)) ? undefined : [NOT_COMPUTABLE]
}

class Uncomputable extends Error {}

/** Tries the expression in a savepoint: a statement that fails would end the transaction. */
async function isComputable(
  transaction: WriteContext['transaction'],
  model: Model,
  compiled: CompiledExpression,
): Promise<boolean> {
  try {
    await transaction.savepoint(async () => {
      if (!(await canCompute(transaction, model, [compiled]))) throw new Uncomputable()
    })
    return true
  } catch (error) {
    if (error instanceof Uncomputable) return false
    throw error
  }
}
