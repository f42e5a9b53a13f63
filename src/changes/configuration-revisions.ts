import { isDeepStrictEqual } from 'node:util'
import { currentTimestamp } from '../base/clock.ts'
import { ConfigurationError } from '../base/errors.ts'
import { type RevisionData, settingStates, withRevision } from '../config/dynamic-settings.ts'
import type { Settings } from '../config/settings.ts'
import { isJsonObject, type Json } from '../schema/json.ts'
import { SYSTEM } from '../schema/system-models.ts'
import type { Service } from '../service.ts'
import { sql } from '../sql/fragment.ts'
import type { Queryable } from '../sql/queryable.ts'
import { insertInto, table, updateTable } from '../sql/table.ts'
import { customRulesProblem } from '../write/validate/custom-rule-problems.ts'

/** A version of the part of the configuration that may change while the service runs. */
export interface Revision {
  readonly id: number
  readonly active: boolean
  /** ISO 8601 UTC. */
  readonly created: string
  readonly comment: string
  readonly data: RevisionData
}

/** All revisions, the newest first. */
export async function listRevisions(queryable: Queryable): Promise<readonly Revision[]> {
  const rows = await queryable.query<Omit<Revision, 'data'> & { readonly data: string | null }>(sql`
    select id, active, created, comment, data from ${table(SYSTEM.configRevision)}
    order by created desc, id desc`)
  return rows.map((row) => ({ ...row, data: dataOf(row.data) }))
}

/** The values of the active revision; empty if no revision is active. */
export async function activeRevision(queryable: Queryable): Promise<RevisionData> {
  const [row] = await queryable.query<{ data: string | null }>(sql`
    select data from ${table(SYSTEM.configRevision)} where active order by id desc limit 1`)
  return dataOf(row?.data ?? null)
}

function dataOf(text: string | null): RevisionData {
  const data: Json = text === null ? null : JSON.parse(text)
  return isJsonObject(data) ? data : {}
}

/** Applies the settings of the active revision to the service; unusable values are reported. */
export async function applyActiveRevision(service: Service, warn: (sentence: string) => void): Promise<void> {
  const data = await activeRevision(service.database)
  const { settings, problems } = revisedSettings(service, data)
  if (isDeepStrictEqual(settings, service.settings)) return
  for (const problem of problems) warn(`The active revision of the configuration: ${problem}`)
  service.reconfigure(settings)
  // Cached responses depend on settings such as the size of a page.
  service.cache.log.clear()
}

/** The settings under a revision, without the values that cannot be used, and sentences about these. */
function revisedSettings(
  { registry, startSettings }: Pick<Service, 'registry' | 'startSettings'>,
  data: RevisionData,
): { readonly settings: Settings; readonly problems: readonly string[] } {
  const { settings, problems } = withRevision(startSettings, data)
  const broken = ruleProblems(registry, settings)
  if (broken.length === 0) return { settings, problems }
  const usable = Object.entries(data).filter(([name]) => !broken.some((problem) => problem.name === name))
  return {
    settings: withRevision(startSettings, Object.fromEntries(usable)).settings,
    problems: [...problems, ...broken.map(({ sentence }) => sentence)],
  }
}

interface RuleProblem {
  readonly name: string
  readonly sentence: string
}

/** Problems of settings that depend on the models. */
function ruleProblems(
  registry: Service['registry'],
  { customValidators, protectionRules }: Settings,
): readonly RuleProblem[] {
  const rules = { CUSTOM_VALIDATORS: customValidators, PROTECTION_RULES: protectionRules }
  return Object.entries(rules).flatMap(([name, checks]) => {
    const problem = customRulesProblem(registry, checks)
    return problem === undefined ? [] : [{ name, sentence: `${name}: ${problem}.` }]
  })
}

/** Throws ConfigurationError for settings that do not fit the models. */
export function checkRules(registry: Service['registry'], settings: Settings): void {
  const [problem] = ruleProblems(registry, settings)
  if (problem) throw new ConfigurationError(problem.sentence)
}

/** The current values of all settings that a revision may set. */
export const currentStates = async ({ database, startSettings }: Service) =>
  settingStates(startSettings, await activeRevision(database))

/**
 * Stores a new revision, the active one with the changes, and makes it the active one. Undefined removes a value. Returns its id.
 * Throws ConfigurationError for values that cannot be used.
 */
export async function changeConfiguration(
  service: Service,
  changes: Readonly<Record<string, unknown>>,
  comment: string,
): Promise<number> {
  return await service.database.transaction(async (transaction) => {
    const merged = new Map(Object.entries(await activeRevision(transaction)))
    for (const [name, value] of Object.entries(changes)) {
      if (value === undefined) merged.delete(name)
      else merged.set(name, value)
    }
    return await storeRevision(transaction, service, Object.fromEntries(merged), comment)
  })
}

/**
 * Stores a copy of an earlier revision as the active one. Returns its id. Throws ConfigurationError if there is none, or
 * if it is active.
 */
export async function restoreRevision(service: Service, id: number): Promise<number> {
  return await service.database.transaction(async (transaction) => {
    const revision = (await listRevisions(transaction)).find((candidate) => candidate.id === id)
    if (!revision) throw new ConfigurationError(`There is no revision ${id}.`)
    if (revision.active) throw new ConfigurationError(`Revision ${id} is the active one.`)
    return await storeRevision(transaction, service, revision.data, `Restored revision ${id}`)
  })
}

async function storeRevision(
  transaction: Queryable,
  service: Service,
  data: RevisionData,
  comment: string,
): Promise<number> {
  const [problem] = revisedSettings(service, data).problems
  if (problem !== undefined) throw new ConfigurationError(problem)
  await transaction.execute(sql`${updateTable(SYSTEM.configRevision)} set active = false where active`)
  const [row] = await transaction.query<{ id: number }>(sql`
    ${insertInto(SYSTEM.configRevision)} (active, created, comment, data)
    values (true, ${currentTimestamp(service.clock)}::timestamptz, ${comment}::text, ${JSON.stringify(data)}::jsonb)
    returning id`)
  return row?.id ?? 0
}
