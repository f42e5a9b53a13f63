import { currentTimestamp } from '../../base/clock.ts'
import type { BackgroundWork } from '../../changes/background/background.ts'
import type { Transaction } from '../../db/database.ts'
import { liftTimeLimit } from '../../db/time-limit.ts'
import { lockWatching, watchedTables, watchTables } from '../../db/watched-tables.ts'
import { existingCustomFields } from '../../read/expression/try-expressions.ts'
import { affectedObjects, type Touched, tablesOfRules, touchedOf } from '../../read/rules/affected-objects.ts'
import { type CompiledRule, compileRule, enabledRules, type StoredRule } from '../../read/rules/compile-rule.ts'
import type { Registry } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { currentService, type Service } from '../../service.ts'
import { sql, volatile } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { deleteFrom, table, updateTable } from '../../sql/table.ts'
import { notifyUsers } from '../../write/record/notify-users.ts'
import { evaluateRule, signatureOf } from './evaluate-rules.ts'

/** Milliseconds between two turns without changes. */
const IDLE = 60_000
/** Milliseconds after which rules that depend on the time are evaluated again. */
const RENEWAL = 3_600_000
/** Milliseconds that changes wait, so that one turn handles those of many writes. */
const PATIENCE = 300
/** Statements whose changed rows one turn handles. */
const TOUCHES_AT_ONCE = 500

/**
 * Keeps the findings of all rules current. One process at a time evaluates: all objects of a rule that has changed, and
 * of the others those that a change may affect.
 */
export function ruleWork(started: Service): BackgroundWork {
  /** The models and the time of the last turn that was due, whatever had changed. */
  let last: { readonly registry: Registry; readonly time: number } | undefined
  /** Whether there are rules: without them, no change needs a turn. */
  let hasRules = true
  let timer: NodeJS.Timeout | undefined
  return {
    name: 'the evaluation of rules',
    idleMs: IDLE,
    wokenBy: [SYSTEM.rule],
    watch: (wake) => {
      started.cache.log.watchAll(() => {
        if (hasRules) timer ??= setTimeout(wake, PATIENCE).unref()
      })
    },
    turn: async () => {
      clearTimeout(timer)
      timer = undefined
      const service = currentService(started)
      const { database, registry, clock } = service
      if (database.writeProblem()) return 'idle'
      const rules = await enabledRules(database)
      const isDue = last?.registry !== registry || clock.now() - last.time >= RENEWAL
      hasRules = rules.length > 0
      if (!isDue && !(await hasWork(database, rules))) return 'idle'
      const result = await database.transaction((transaction) => evaluate(service, transaction, isDue))
      if (result === 'idle' && isDue) last = { registry, time: clock.now() }
      return result
    },
  }
}

async function hasWork(database: Queryable, rules: readonly StoredRule[]): Promise<boolean> {
  if (rules.some(({ signature }) => signature === '')) return true
  const [[isTouched] = []] = await database.queryArrays(
    sql`select exists (select from ${table(SYSTEM.ruleTouch)})
      or exists (select from ${table(SYSTEM.finding)} f join ${table(SYSTEM.rule)} r on r.id = f.rule_id where not r.enabled)`,
    { isShort: true },
  )
  return isTouched === true
}

/** One turn. `isDue`: rules that depend on the time are evaluated again. */
async function evaluate(service: Service, transaction: Transaction, isDue: boolean): Promise<'again' | 'idle'> {
  const { registry } = service
  await transaction.query(volatile`select pg_advisory_xact_lock(hashtextextended('cadastre findings', 0))`)
  await liftTimeLimit(transaction)
  // Before anything is read: later changes are noted, and handled by a later turn.
  const { touched, isMore } = await takeTouched(transaction)
  let compiled = await compileAll(service, transaction)
  let unwatched: ReadonlySet<string> = new Set()
  const [needed, watched] = [tablesOfRules(compiled), await watchedTables(transaction)]
  if (needed.size !== watched.size || [...needed].some((name) => !watched.has(name))) {
    await lockWatching(transaction)
    compiled = await compileAll(service, transaction)
    unwatched = await watchTables(transaction, registry, tablesOfRules(compiled))
  }
  await forgetOthers(transaction, compiled)
  for (const rule of compiled) {
    const signature = signatureOf(rule)
    const isNew = rule.stored.signature !== signature
    const isUnwatched = [...tablesOfRules([rule])].some((name) => unwatched.has(name))
    const isTimed = isDue && rule.isBroken.isVolatile
    const ids =
      isNew || isUnwatched || isTimed
        ? 'all'
        : await affectedObjects({ registry, database: transaction }, rule, touched)
    await evaluateRule({ service, transaction }, rule, ids)
    if (isNew) await noteEvaluation(transaction, rule.stored.id, { signature, problem: '' })
  }
  return isMore ? 'again' : 'idle'
}

/** Removes the findings of rules that are switched off or cannot be evaluated, which have all objects judged again later. */
async function forgetOthers(transaction: Transaction, rules: readonly CompiledRule[]): Promise<void> {
  const ids = rules.map(({ stored }) => stored.id)
  await transaction.execute(sql`${deleteFrom(SYSTEM.finding)} where rule_id <> all(${ids}::bigint[])`)
  await transaction.execute(sql`
    ${updateTable(SYSTEM.rule)} set signature = '' where not enabled and signature <> ''`)
}

/** The rules that can be evaluated. The reason why others cannot is stored with them. */
async function compileAll(service: Service, transaction: Transaction): Promise<readonly CompiledRule[]> {
  const compiled: CompiledRule[] = []
  const source = { registry: service.registry, database: transaction, customFields: existingCustomFields(transaction) }
  for (const stored of await enabledRules(transaction)) {
    const rule = await compileRule(source, stored)
    if (!('problem' in rule)) compiled.push(rule)
    else if (stored.problem !== rule.problem) {
      await noteEvaluation(transaction, stored.id, { signature: 'problem', problem: rule.problem })
      await notifyOfProblem(service, transaction, stored)
    }
  }
  return compiled
}

/** Notifies the superusers, and the user who has changed the rule last, that it refuses and finds nothing any more. */
async function notifyOfProblem({ clock }: Service, transaction: Transaction, { id, name }: StoredRule): Promise<void> {
  const users = await transaction.queryColumn(sql`
    select u.id from ${table(SYSTEM.user)} u where u.is_active and (u.is_superuser or u.id = (
      select c.user_id from ${table(SYSTEM.objectChange)} c
      where c.changed_object_type = ${SYSTEM.rule} and c.changed_object_id = ${id}::bigint order by c.id desc limit 1))`)
  const event = {
    ...{ objectType: SYSTEM.rule, objectId: id, type: 'object_updated', display: `Cannot be evaluated: ${name}` },
    ...{ users: users.map(Number), request: null, author: '' },
  }
  await notifyUsers(transaction, [event], { now: currentTimestamp(clock), isUnread: true })
}

const noteEvaluation = (
  transaction: Transaction,
  rule: number,
  { signature, problem }: { readonly signature: string; readonly problem: string },
): Promise<number> =>
  transaction.execute(sql`
    ${updateTable(SYSTEM.rule)} set signature = ${signature}, problem = ${problem} where id = ${rule}::bigint`)

/** Takes some of the noted changes. */
async function takeTouched(transaction: Transaction): Promise<{ readonly touched: Touched; readonly isMore: boolean }> {
  const rows = await transaction.query<Parameters<typeof touchedOf>[0][number]>(sql`
    ${deleteFrom(SYSTEM.ruleTouch)} where id in (
      select id from ${table(SYSTEM.ruleTouch)} order by id limit ${TOUCHES_AT_ONCE})
    returning changed_table, number, ids::text as ids, others::text as others`)
  return { touched: touchedOf(rows), isMore: rows.length === TOUCHES_AT_ONCE }
}
