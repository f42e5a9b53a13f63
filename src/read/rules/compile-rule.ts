import { oncePerText } from '../../schema/once-per.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { join, type Sql, sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { table } from '../../sql/table.ts'
import { type CompiledExpression, compileExpression } from '../expression/compile-expression.ts'
import { ExpressionError } from '../expression/parse-expression.ts'
import type { Reached } from '../expression/reached.ts'
import { existingCustomFields, unknownCustomField } from '../expression/try-expressions.ts'
import { memberPredicates } from '../groups/memberships.ts'
import { T } from '../query/alias.ts'
import { columnOf } from '../query/column.ts'

/** A stored rule. */
export interface StoredRule extends Record<string, unknown> {
  readonly id: number
  readonly name: string
  readonly object_type: string
  readonly group: number | null
  readonly expression: string
  readonly message: string
  readonly severity: string
  readonly problem: string
  readonly signature: string
}

/** A rule that can be evaluated. */
export interface CompiledRule {
  readonly stored: StoredRule
  readonly model: Model
  /** Value of the expression for a row `t` of the model: null if the rule does not apply to it. */
  readonly value: Sql
  /** Predicate over the rows: the object belongs to those that the rule judges. */
  readonly isMember: Sql
  /** Predicate over the rows: the object breaks the rule. */
  readonly isBroken: Sql
  /** Related objects that break it, for a row `t`: a list of types and ids, as jsonb. */
  readonly causes: Sql
  /** Names of the other models that the expression reads. */
  readonly reads: ReadonlySet<string>
  /** The relations by which a change elsewhere affects the objects. */
  readonly reached: Reached
  /** Tables after whose changes any object may be affected. */
  readonly opaque: ReadonlySet<string>
}

/** The enabled rules that satisfy a condition on the rows `r`, in the order of their ids. */
export const enabledRules = async (
  database: Pick<Queryable, 'query'>,
  where: Sql = sql`true`,
): Promise<readonly StoredRule[]> =>
  await database.query<StoredRule>(sql`
    select r.id, r.name, r.object_type, r.group_id as "group", r.expression, r.message, r.severity, r.problem, r.signature
    from ${table(SYSTEM.rule)} r where r.enabled and ${where} order by r.id`)

/** The severities, the gravest first. */
export function severitiesOf(registry: Registry): readonly string[] {
  const field = registry.model(SYSTEM.rule).fields.get('severity')
  return field?.kind === 'choice' ? field.choices.list.map(({ value }) => String(value)) : []
}

/** The enabled rules that satisfy the condition and can be evaluated. */
export async function usableRules(source: RuleSource, where?: Sql): Promise<readonly CompiledRule[]> {
  const stored = await enabledRules(source.database, where)
  const customFields = existingCustomFields(source.database)
  const rules = await Promise.all(stored.map((rule) => compileRule({ ...source, customFields }, rule)))
  return rules.flatMap((rule) => ('problem' in rule ? [] : [rule]))
}

interface RuleSource {
  readonly registry: Registry
  readonly database: Queryable
  /** Shared by the rules that are compiled together. */
  readonly customFields?: ReturnType<typeof existingCustomFields>
}

/** Maximum number of expressions that stay compiled. */
const MOST_COMPILED = 500

const compiled = oncePerText(MOST_COMPILED, (model: Model, expression) => compileExpression(model, expression))

/** A compiled condition, or the reason why it cannot be evaluated. `compile`: throws ExpressionError. */
export async function compileCondition(
  customFields: ReturnType<typeof existingCustomFields>,
  compile: () => CompiledExpression,
): Promise<CompiledExpression | { readonly problem: string }> {
  try {
    const expression = compile()
    const { type } = expression
    if (type !== 'boolean') return { problem: `The expression yields a ${type}, not true or false.` }
    const unknown = await unknownCustomField(customFields, [expression])
    return unknown === undefined ? expression : { problem: unknown }
  } catch (error) {
    if (error instanceof ExpressionError) return { problem: error.message }
    throw error
  }
}

/** The compiled rule, or the reason why it cannot be evaluated. */
export async function compileRule(
  { registry, database, customFields = existingCustomFields(database) }: RuleSource,
  stored: StoredRule,
): Promise<CompiledRule | { readonly problem: string }> {
  const model = registry.models.get(stored.object_type)
  if (!model) return { problem: `There is no object type ${stored.object_type}.` }
  const members = stored.group === null ? undefined : await membersOf({ registry, database }, model, stored.group)
  if (members === 'unusable') return { problem: 'The filters of the dynamic group cannot be used.' }
  const expression = await compileCondition(customFields, () => compiled(model, stored.expression))
  if ('problem' in expression) return expression
  const { reads, reached, opaque, judged } = expression
  const column = columnOf(model, T)
  const value = sql`(${expression.sql(column)})`
  const lists = judged.map(
    ({ of, ids }) => sql`coalesce((
      select jsonb_agg(jsonb_build_object('object_type', ${of.name}::text, 'object_id', j.id)) from (${ids(column)}) j
    ), '[]')`,
  )
  return {
    ...{ stored, model, reads, reached, value },
    isMember: members ?? sql`true`,
    isBroken: sql`${value} is false${members ? sql` and ${members}` : sql``}`,
    causes: lists.length === 0 ? sql`'[]'::jsonb` : join(lists, ' || '),
    opaque: new Set([
      ...opaque,
      ...(members ? [...members.tables, registry.model(SYSTEM.dynamicGroup).table] : []),
      // A custom field may be removed.
      ...(expression.customFields.size > 0 ? [registry.model(SYSTEM.customField).table] : []),
    ]),
  }
}

async function membersOf(
  source: Parameters<typeof memberPredicates>[0],
  model: Model,
  group: number,
): Promise<Sql | 'unusable'> {
  return (await memberPredicates(source, model, [group])).get(group) ?? 'unusable'
}
