import { labelOf } from '../../schema/choice-label.ts'
import { choices } from '../../schema/choices.ts'
import { LOGGED } from '../../schema/common.ts'
import { choice, customFields, dateTime, foreignKey, genericForeignKey, tags, text } from '../../schema/field.ts'
import { numberFilter, objectTypeFilter, related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { behaviour } from '../../schema/rule.ts'
import { fieldGroup, registered, words } from '../../schema/view.ts'
import { sql } from '../../sql/fragment.ts'
import { notifyMentioned } from '../mentions.ts'
import { namedObjectExists } from './object-exists.rules.ts'

const journalEntryKind = choices([
  ['info', 'Info', 'cyan'],
  ['success', 'Success', 'green'],
  ['warning', 'Warning', 'yellow'],
  ['danger', 'Danger', 'red'],
])

/** A dated note on an object. */
export const journalEntry = model({
  name: 'extras.journalentry',
  path: 'extras/journal-entries',
  labels: ['journal entry', 'journal entries'],

  fields: {
    assigned_object: genericForeignKey(['feature:journaling'], {
      nullable: false,
      related: 'journal_entries',
      listsTypes: true,
    }),
    created: dateTime({ nullable: true, readOnly: true, auto: 'insert', filter: false }),
    created_by: foreignKey('users.user', {
      onDelete: 'setNull',
      bare: true,
      write: 'id',
      defaultFrom: 'user',
      resetOnPut: true,
    }),
    kind: choice(journalEntryKind, { default: 'info', max: 30 }),
    comments: text({ filter: false }),
    tags: tags(),
    custom_fields: customFields(),
    last_updated: dateTime({ nullable: true, readOnly: true, auto: 'save', unlogged: true }),
  },

  display: (column) =>
    sql`to_char(${column('created')} at time zone 'UTC', 'YYYY-MM-DD HH24:MI') || ' (' || ${labelOf(column('kind'), journalEntryKind)} || ')'`,
  brief: ['id', 'url', 'display', 'created'],
  order: ['-created'],
  search: ['comments'],

  filters: {
    assigned_object_type_id: objectTypeFilter('assigned_object_type', { byId: true }),
    created_by: related('created_by', 'users.user', 'username'),
    created_after: numberFilter('created', 'dateTime', {
      plain: true,
      single: true,
      compare: 'gte',
    }),
    created_before: numberFilter('created', 'dateTime', {
      plain: true,
      single: true,
      compare: 'lte',
    }),
  },
  features: [...LOGGED, 'customLinks', 'exportTemplates'],
})

export const journalEntryModel = registered(journalEntry, {
  behaviour: behaviour(journalEntry, {
    // The author is set once: an entry is a record of who wrote it. As in NetBox, another value is ignored.
    normalize: [({ previous }) => previous && { created_by: previous.created_by }],
    serializerRules: [namedObjectExists('assigned_object_type', 'assigned_object_id')],
    afterWrite: [
      async (effect) => {
        const texts = effect.rows.map(({ next, previous }) => ({
          objectType: String(next?.assigned_object_type),
          objectId: Number(next?.assigned_object_id),
          text: next?.comments,
          earlier: previous?.comments,
        }))
        await notifyMentioned(effect, texts)
      },
    ],
  }),
  context: ['assigned_object'],
  columns: words('created created_by assigned_object_type assigned_object kind comments'),
  moreColumns: { without: ['last_updated'] },
  labels: {
    assigned_object_type: 'Object Type',
    assigned_object: 'Object',
    comments: 'Comments (Short)',
  },
  panels: { 'Journal Entry': words('assigned_object created created_by kind') },
  form: [fieldGroup('', ['kind']), fieldGroup('', words('tags comments'))],
  filters: {
    Creation: words('created_before created_after created_by_id'),
    Attributes: words('assigned_object_type_id kind'),
  },
  bulkEdit: { plus: ['comments'] },
  importRequires: words('assigned_object_type assigned_object_id kind'),
  imports: { plus: words('assigned_object_type assigned_object_id created_by.id') },
  search: { shown: words('kind created_by') },
})
