import type { Audit } from '../../schema/audit.ts'
import { description } from '../../schema/common.ts'
import { boolean, json, list, manyToMany, objectTypes, text } from '../../schema/field.ts'
import { byIdAnd, holds, objectTypeFilter, related } from '../../schema/filter.ts'
import { isJsonObject } from '../../schema/json.ts'
import { model } from '../../schema/model.ts'
import { type Behaviour, behaviour, type EffectFunction, type Rule } from '../../schema/rule.ts'
import { registered, words } from '../../schema/view.ts'
import { sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'

/** Actions granted to users and groups on objects of some types that satisfy its constraints. */
export const permission = model({
  name: 'users.objectpermission',
  path: 'users/permissions',
  labels: ['permission', 'permissions'],
  about: 'What users and groups may do with which objects.',
  className: 'ObjectPermission',

  fields: {
    name: text({ max: 100 }),
    description,
    enabled: boolean({ default: true }),
    object_types: objectTypes({}),
    actions: list('text', { max: 30 }),
    constraints: json({ nullable: true, example: { id__gt: 0 } }),
    groups: manyToMany('users.group', {
      inverse: 'permissions',
      projection: ['id', 'url', 'display_url', 'display', 'name'],
    }),
    users: manyToMany('users.user', {
      inverse: 'permissions',
      projection: ['id', 'url', 'display_url', 'display', 'username'],
    }),
  },

  graphql: false,
  brief: ['id', 'url', 'display', 'name', 'description', 'enabled', 'object_types', 'actions'],
  naturalKey: ['name'],
  order: ['name'],
  search: ['name', 'description'],

  filters: {
    object_types: objectTypeFilter('object_types', { byId: true }),
    object_type_id: objectTypeFilter('object_types', { byId: true }),
    object_type: objectTypeFilter('object_types', { textLookups: true }),
    can_view: holds(({ column }) => sql`'view' = any(${column('actions')})`),
    can_add: holds(({ column }) => sql`'add' = any(${column('actions')})`),
    can_change: holds(({ column }) => sql`'change' = any(${column('actions')})`),
    can_delete: holds(({ column }) => sql`'delete' = any(${column('actions')})`),
    ...byIdAnd('username', 'user', related('users', 'users.user')),
    ...byIdAnd('name', 'group', related('groups', 'users.group')),
  },
  features: ['cloning'],
})

export const permissionModel = registered(permission, {
  columns: words('name enabled object_types description'),
  moreColumns: { plus: ['constraints'] },
  labels: { object_types: 'Object Types', actions: 'Custom Actions' },
  panels: words('name description enabled'),
  tables: [
    { model: 'users.user', by: { permission_id: 'id' }, label: 'Assigned Users' },
    { model: 'users.group', by: { permission_id: 'id' }, label: 'Assigned Groups' },
  ],
  cloned: words('description enabled object_types actions constraints'),
  form: {
    '': words('name description enabled'),
    Objects: ['object_types'],
    Actions: ['actions'],
    Assignment: words('groups users'),
    Constraints: ['constraints'],
  },
  filters: {
    Permission: words('enabled group_id user_id'),
    Actions: words('can_view can_add can_change can_delete'),
  },
  bulkEdit: words('enabled description'),
})

type PermissionFields = typeof permission.fields

/** Object types to which constraints do not apply, each with the reason as a sentence. */
type FindUnfit = (
  queryable: Queryable,
  objectTypes: readonly string[],
  constraints: unknown,
) => Promise<readonly { readonly objectType: string; readonly complaint: string }[]>

const constraintsAreObjects: Rule<PermissionFields> = ({ next, sent }) => {
  const { constraints } = next
  if (!sent.has('constraints') || constraints === null || isJsonObject(constraints)) return
  return Array.isArray(constraints) && constraints.every(isJsonObject)
    ? undefined
    : { constraints: 'Constraints must be a JSON object of conditions, or a list of such objects.' }
}

/**
 * Constraints that do not apply to a type are accepted, as by NetBox; the permission then grants nothing on
 * it.
 */
const auditUnfit =
  (findUnfit: FindUnfit, audit: Audit): EffectFunction<PermissionFields> =>
  async ({ rows, database, origin, afterCommit }) => {
    for (const { next } of rows) {
      if (!next) continue
      for (const unfit of await findUnfit(database, next.object_types, next.constraints)) {
        const event = { event: 'constraintsDoNotFit', id: next.id, ...unfit, ...origin } as const
        afterCommit(() => audit(event))
      }
    }
  }

/** Behaviour of permissions; `findUnfit` evaluates constraints, which models must not depend on. */
export const permissionBehaviour = (findUnfit: FindUnfit, audit: Audit): Behaviour =>
  behaviour(permission, {
    modelRules: [constraintsAreObjects],
    afterWrite: [auditUnfit(findUnfit, audit)],
  })
