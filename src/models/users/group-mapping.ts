import type { Audit } from '../../schema/audit.ts'
import { description } from '../../schema/common.ts'
import { boolean, foreignKey, text } from '../../schema/field.ts'
import { byIdAnd, related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { type Behaviour, behaviour, type EffectFunction, type Rule } from '../../schema/rule.ts'
import { registered, words } from '../../schema/view.ts'

/** What the members of a provider's group get here; identity/group-mapping.ts applies it at each login. */
export const groupMapping = model({
  name: 'users.groupmapping',
  path: 'users/group-mappings',
  labels: ['group mapping', 'group mappings'],
  className: 'GroupMapping',

  fields: {
    provider: text({ max: 32, help: 'Name of the login provider in AUTH_PROVIDERS' }),
    provider_group: text({ max: 500, help: 'The group as the provider names it: a name, a path or an id' }),
    group: foreignKey('users.group', {
      related: '+',
      nullable: true,
      onDelete: 'cascade',
      example: (n, id) => id('users.group', n),
      help: 'Local group that the members join',
    }),
    is_superuser: boolean({
      default: false,
      label: 'Superusers',
      help: 'Its members are superusers, and no other user of the provider is a superuser',
    }),
    description,
  },

  display: '{provider}: {provider_group}',
  graphql: false,
  brief: ['id', 'url', 'display', 'provider', 'provider_group', 'description'],
  order: ['provider', 'provider_group', 'id'],
  search: ['provider', 'provider_group', 'description'],
  unique: [{ fields: ['provider', 'provider_group', 'group'], nullsEqual: true }],
  filters: byIdAnd('name', 'group', related('group', 'users.group')),
  // No permission can name it, so only superusers can write it: whoever writes it decides who is a superuser.
  private: true,
})

export const groupMappingModel = registered(groupMapping, {
  columns: words('provider provider_group group is_superuser description'),
  panels: words('provider provider_group group is_superuser description'),
  form: words('provider provider_group group is_superuser description'),
  filters: { 'Group Mapping': words('provider group_id is_superuser') },
  bulkEdit: words('provider is_superuser description'),
})

type MappingFields = typeof groupMapping.fields

const givesSomething: Rule<MappingFields> = ({ next }) =>
  next.group === null && !next.is_superuser
    ? { group: 'Choose the group that the members get, or make them superusers.' }
    : undefined

const auditMappings =
  (audit: Audit): EffectFunction<MappingFields> =>
  async ({ rows, origin, afterCommit }) => {
    const ids = rows.map(({ next, previous }) => (next ?? previous)?.id ?? 0)
    afterCommit(() => audit({ event: 'groupMappingChanged', ids, ...origin }))
  }

/** Behaviour of mappings; the audit log records changes of who may sign in as what. */
export const groupMappingBehaviour = (audit: Audit): Behaviour =>
  behaviour(groupMapping, { modelRules: [givesSomething], afterWrite: [auditMappings(audit)] })
