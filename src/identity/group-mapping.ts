import type { AccountPolicy } from '../config/auth-providers.ts'
import { SYSTEM } from '../schema/system-models.ts'
import { sql } from '../sql/fragment.ts'
import type { Queryable } from '../sql/queryable.ts'
import { table } from '../sql/table.ts'

/** The rights that members of a provider's group get here. */
export interface GroupRule {
  readonly providerGroup: string
  /** Name of the local group. */
  readonly group?: string
  readonly isSuperuser: boolean
  /** Id of the mapping in the database; absent for one of the configuration. */
  readonly id?: number
}

/** The mapping of a provider: that of the configuration, then that of the database. */
export async function groupRules(queryable: Queryable, policy: AccountPolicy): Promise<readonly GroupRule[]> {
  const rows = await queryable.query<{
    id: number
    provider_group: string
    is_superuser: boolean
    name: string | null
  }>(sql`
    select m.id, m.provider_group, m.is_superuser, g.name from ${table(SYSTEM.groupMapping)} m
    left join ${table(SYSTEM.group)} g on g.id = m.group_id
    where m.provider = ${policy.name} order by m.provider_group, m.id`)
  return [
    ...configuredRules(policy),
    ...rows.map(({ id, provider_group: providerGroup, is_superuser: isSuperuser, name }) => ({
      ...{ id, providerGroup, isSuperuser },
      ...(name !== null && { group: name }),
    })),
  ]
}

/** The part of the mapping that the configuration contains. */
const configuredRules = ({ groups = {}, superuser_groups }: AccountPolicy): readonly GroupRule[] => [
  ...Object.entries(groups).map(([providerGroup, group]) => ({ providerGroup, group, isSuperuser: false })),
  ...superuser_groups.map((providerGroup) => ({ providerGroup, isSuperuser: true })),
]

/** Why a person is in a local group, or a superuser: a rule, or a local group with the name of the provider's. */
export type Reason = GroupRule | 'same name'

/** The groups and status that a person gets through the groups at the provider. */
export interface Entitlement {
  /** By the name of the local group. */
  readonly groups: ReadonlyMap<string, readonly Reason[]>
  /** Whether the provider decides who is in the local group. */
  readonly manages: (group: string) => boolean
  /** Undefined if the provider does not decide that. */
  readonly isSuperuser: boolean | undefined
  readonly superuserReasons: readonly GroupRule[]
}

/**
 * The rights of the members of these groups. Without a mapping to local groups, the local groups have the provider's
 * names. `allGroups`: all groups of the provider, if it provides them; it does not affect local groups with other
 * names.
 */
export function entitlementOf(
  rules: readonly GroupRule[],
  policy: Pick<AccountPolicy, 'groups'>,
  groups: ReadonlySet<string>,
  allGroups?: ReadonlySet<string>,
): Entitlement {
  const matching = rules.filter(({ providerGroup }) => groups.has(providerGroup))
  const targets = new Set(rules.flatMap(({ group }) => group ?? []))
  const isMapped = policy.groups !== undefined || targets.size > 0
  const superuserReasons = matching.filter(({ isSuperuser }) => isSuperuser)
  return {
    groups: isMapped
      ? Map.groupBy(
          matching.filter(({ group }) => group !== undefined),
          ({ group = '' }) => group,
        )
      : new Map([...groups].filter(isStorable).map((name) => [name, ['same name'] as const])),
    manages: (group) => (isMapped ? targets.has(group) : (allGroups?.has(group) ?? true)),
    isSuperuser: rules.some(({ isSuperuser }) => isSuperuser) ? superuserReasons.length > 0 : undefined,
    superuserReasons,
  }
}

/** PostgreSQL cannot store texts with this character. */
const isStorable = (name: string): boolean => !name.includes('\0')
