import { invalid } from '../base/errors.ts'
import { type ProviderConfig, providersOf } from '../config/auth-providers.ts'
import { SYSTEM } from '../schema/system-models.ts'
import type { Service } from '../service.ts'
import { sql } from '../sql/fragment.ts'
import { table } from '../sql/table.ts'
import { entitlementOf, groupRules, type Reason } from './group-mapping.ts'

/** The origin of something: a mapping, equal names, or the groups for new users. */
interface PreviewReason {
  readonly source: 'configuration' | 'database' | 'same name' | 'default_groups'
  readonly provider_group: string | null
  /** Id of the mapping in the database. */
  readonly mapping: number | null
}

interface PreviewGroup {
  /** Null for a group that the login would create. */
  readonly id: number | null
  readonly name: string
  readonly reasons: readonly PreviewReason[]
}

/** What a person would get at a login, and why. */
export interface LoginPreview {
  readonly provider: string
  /** False if the provider's groups are not read, so that nothing of this applies. */
  readonly reads_groups: boolean
  readonly groups: readonly PreviewGroup[]
  /** Null if the provider does not decide that. */
  readonly is_superuser: boolean | null
  readonly superuser_reasons: readonly PreviewReason[]
  /** Enabled permissions of these groups, in the order of their names. */
  readonly permissions: readonly PreviewPermission[]
  /** Groups of the provider without an effect here. */
  readonly unused: readonly string[]
}

interface PreviewPermission extends Record<string, unknown> {
  readonly id: number
  readonly name: string
  readonly object_types: readonly string[]
  readonly actions: readonly string[]
  readonly constrained: boolean
  /** Names of the groups that grant it. */
  readonly groups: readonly string[]
}

/** What a person in these groups of the provider would get. Throws `invalid` for a provider that is not configured. */
export async function previewLogin(
  { database, settings }: Service,
  provider: string,
  names: readonly string[],
): Promise<LoginPreview> {
  const policy = providersOf(settings).find(({ name }) => name === provider)
  if (!policy) throw invalid({ provider: ['There is no login provider of this name in the configuration.'] })
  const groupNames = new Set(names)
  const entitlement = entitlementOf(await groupRules(database, policy), policy, groupNames)
  const reasons = new Map<string, readonly PreviewReason[]>(
    [...entitlement.groups].map(([name, groupReasons]) => [name, groupReasons.map((reason) => reasonOf(reason, name))]),
  )
  for (const name of policy.default_groups) {
    const reason = { source: 'default_groups', provider_group: null, mapping: null } as const
    reasons.set(name, [...(reasons.get(name) ?? []), reason])
  }
  const existing = await database.query<{ id: number; name: string }>(sql`
    select id, name from ${table(SYSTEM.group)} where name = any(${[...reasons.keys()]}::text[]) order by name`)
  const created = policy.create_groups
    ? [...entitlement.groups.keys()].filter((name) => existing.every((group) => group.name !== name))
    : []
  const groups = [...existing, ...created.map((name) => ({ id: null, name }))].map(({ id, name }) => ({
    ...{ id, name, reasons: reasons.get(name) ?? [] },
  }))
  const superuserReasons = entitlement.superuserReasons.map((rule) => reasonOf(rule, rule.providerGroup))
  const used = new Set(
    [...groups.flatMap((group) => group.reasons), ...superuserReasons].map((reason) => reason.provider_group),
  )
  return {
    provider,
    reads_groups: readsGroups(policy),
    groups,
    is_superuser: entitlement.isSuperuser ?? null,
    superuser_reasons: superuserReasons,
    permissions: await permissionsOf(
      database,
      existing.map(({ id }) => id),
    ),
    unused: [...groupNames].filter((name) => !used.has(name)),
  }
}

/** A group of the provider without an effect, with the local groups that it would give if they existed. */
export interface UnusedGroup {
  readonly name: string
  /** Empty: no mapping names it. */
  readonly missing: readonly string[]
}

/** Why these groups of the provider have no effect. */
export async function causesOf(
  { database, settings }: Service,
  { provider, unused }: LoginPreview,
): Promise<readonly UnusedGroup[]> {
  const policy = providersOf(settings).find(({ name }) => name === provider)
  if (!policy) return []
  const rules = await groupRules(database, policy)
  return unused.map((name) => ({ name, missing: [...entitlementOf(rules, policy, new Set([name])).groups.keys()] }))
}

const reasonOf = (reason: Reason, name: string): PreviewReason =>
  reason === 'same name'
    ? { source: 'same name', provider_group: name, mapping: null }
    : {
        source: reason.id === undefined ? 'configuration' : 'database',
        provider_group: reason.providerGroup,
        mapping: reason.id ?? null,
      }

/** Whether the configuration says where to find a person's groups. */
export const readsGroups = (config: ProviderConfig): boolean => groupSource(config) !== undefined

/** The source of the provider's groups. */
function groupSource(config: ProviderConfig): string | undefined {
  if (config.type === 'oidc') return config.groups_claim
  if (config.type === 'saml') return config.groups_attribute
  if (config.type === 'scim') return 'Groups'
  return config.type === 'header' ? config.group_header : config.group_base
}

const permissionsOf = (database: Service['database'], groups: readonly number[]) =>
  database.query<PreviewPermission>(sql`
    select p.id, p.name, p.object_types, p.actions,
      p.constraints is not null and p.constraints::text not in ('{}', '[]', 'null') as constrained,
      array_agg(g.name order by g.name) as groups
    from ${table(SYSTEM.objectPermission)} p
    join ${table(`${SYSTEM.group}.permissions`)} gp on gp.objectpermission_id = p.id
    join ${table(SYSTEM.group)} g on g.id = gp.group_id
    where p.enabled and g.id = any(${groups}::bigint[])
    group by p.id order by p.name, p.id`)
