import { labelOf } from '../../schema/choice-label.ts'
import { choices } from '../../schema/choices.ts'
import { choice, dateTime, foreignKey, genericForeignKey, json, text, uuid } from '../../schema/field.ts'
import { custom, numberFilter, objectTypeFilter, related } from '../../schema/filter.ts'
import { model, type PageDisplay } from '../../schema/model.ts'
import type { ColumnOf } from '../../schema/path.ts'
import { registered, words } from '../../schema/view.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { table } from '../../sql/table.ts'

const objectChangeAction = choices([
  ['create', 'Created', 'green'],
  ['update', 'Updated', 'blue'],
  ['delete', 'Deleted', 'red'],
])

/** `DCIM | device rtr01 updated by admin`. */
const displayOfChange = (column: ColumnOf): Sql => sql`coalesce((
  select named.app_name || ' | ' || named.model_name
  from ${table('core.objecttype')} named
  where named.app_label = split_part(${column('changed_object_type')}, '.', 1)
    and named.model = split_part(${column('changed_object_type')}, '.', 2)
), ${column('changed_object_type')}) || ' ' || ${column('object_repr')} || ' '
  || lower(${labelOf(column('action'), objectChangeAction)}) || ' by ' || ${column('user_name')}`

const actionWords: ReadonlyMap<unknown, string> = new Map(
  objectChangeAction.list.map(({ value, label }) => [value, label.toLowerCase()]),
)

/** `DCIM | device` by `dcim.device`. */
async function namesOfTypes(database: Queryable): Promise<ReadonlyMap<unknown, string>> {
  const rows = await database.queryArrays(sql`
    select named.app_label || '.' || named.model, named.app_name || ' | ' || named.model_name
    from ${table('core.objecttype')} named`)
  return new Map(rows.map(([type, name]) => [type, String(name)]))
}

/** As `displayOfChange`: looking up the type of each record would take a third of the time of the page's query. */
const batchDisplay: PageDisplay = {
  columns: ['changed_object_type', 'object_repr', 'action', 'user_name'],
  load: async (_ids, { database, cached }, rows = Promise.resolve([])) => {
    const names = await cached('names of object types', () => namesOfTypes(database))
    const texts = new Map<number, string>()
    for (const [id, type, object, action, user] of await rows) {
      const words = `${names.get(type) ?? type} ${object} ${actionWords.get(action)} by ${user}`
      texts.set(Number(id), JSON.stringify(words))
    }
    return texts
  },
}

/** A change record: the effect of a request on an object. */
export const objectChange = model({
  name: 'core.objectchange',
  path: 'core/object-changes',
  aliases: ['extras/object-changes'],
  page: 'core/changelog',
  labels: ['object change', 'object changes'],

  fields: {
    time: dateTime({ readOnly: true, auto: 'insert', filter: false }),
    user: foreignKey('users.user', { onDelete: 'setNull', related: 'changes', readOnly: true }),
    user_name: text({ max: 150, readOnly: true }),
    request_id: uuid({ readOnly: true }),
    action: choice(objectChangeAction, { readOnly: true, filter: 'single' }),
    changed_object: genericForeignKey(['feature:changeLogging'], {
      nullable: false,
      readOnly: true,
      onDelete: 'keep',
    }),
    object_repr: text({ max: 200, readOnly: true }),
    message: text({ max: 200, default: '', readOnly: true, filter: false }),
    prechange_data: json({ nullable: true, readOnly: true, verbatim: true }),
    postchange_data: json({ nullable: true, readOnly: true, verbatim: true }),
    related_object: genericForeignKey(['feature:changeLogging'], {
      nullable: true,
      hidden: true,
      onDelete: 'keep',
    }),
    /** For a deletion: names of the object and of related objects, see src/write/record/object-context.ts. */
    object_context: json({ nullable: true, readOnly: true, verbatim: true, filter: false }),
    /** Values that an undo needs besides the data, see src/write/record/undo-data.ts. */
    undo_data: json({
      nullable: true,
      readOnly: true,
      hidden: true,
      verbatim: true,
      filter: false,
      unlogged: true,
    }),
  },

  display: displayOfChange,
  batchDisplay,
  graphql: { back: { changed_object: 'changelog' } },
  brief: words(`
    id url display_url display time user user_name request_id action changed_object_type
    changed_object_id changed_object object_repr message prechange_data postchange_data
  `),
  namedOnly: ['object_context'],
  order: ['-time'],
  search: ['message', 'user_name', 'object_repr'],

  filters: {
    user: related('user', 'users.user', 'username'),
    changed_object_type_id: objectTypeFilter('changed_object_type', { byId: true }),
    related_object_type: objectTypeFilter('related_object_type'),
    related_object_id: numberFilter('related_object_id'),
    // An object, as `dcim.device:7`: its own changes and those of its parts, such as a device's interfaces.
    concerns: custom({
      value: 'text',
      multiple: false,
      where: ({ column }, [value]) => {
        const [, type, id] = /^(\w+\.\w+):(\d{1,15})$/.exec(String(value)) ?? []
        const isAbout = (part: 'changed_object' | 'related_object'): Sql =>
          sql`(${column(`${part}_type`)} = ${type} and ${column(`${part}_id`)} = ${id}::bigint)`
        return id === undefined ? sql`false` : sql`(${isAbout('changed_object')} or ${isAbout('related_object')})`
      },
    }),
    time_after: numberFilter('time', 'dateTime', { plain: true, single: true, compare: 'gte' }),
    time_before: numberFilter('time', 'dateTime', { plain: true, single: true, compare: 'lte' }),
  },
  methods: ['GET'],
  // The record contains the object's data before and after the change.
  visibleWith: { relation: 'changed_object' },
})

export const objectChangeModel = registered(objectChange, {
  columns: words('time user_name action changed_object_type object_repr message'),
  moreColumns: words('user changed_object request_id id'),
  labels: {
    user_name: 'Username',
    user: 'Full Name',
    changed_object_type: 'Type',
    object_repr: 'Object',
    changed_object: 'Changed object',
  },
  fieldLabels: { user_name: 'User', changed_object_type: 'Type', object_repr: 'Name at that time' },
  panels: {
    Change: words('time user_name action changed_object_type changed_object object_repr message request_id'),
  },
  filters: {
    Time: words('time_before time_after'),
    Attributes: words('action user_id changed_object_type_id'),
  },
})
