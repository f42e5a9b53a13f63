import { behaviour } from '../../schema/rule.ts'
import { journalEntry } from './journal-entry.ts'
import { namedObjectExists } from './object-exists.rules.ts'

export const journalEntryBehaviour = behaviour(journalEntry, {
  // The author is set once: an entry is a record of who wrote it. As in NetBox, another value is ignored.
  normalize: [({ previous }) => previous && { created_by: previous.created_by }],
  serializerRules: [namedObjectExists('assigned_object_type', 'assigned_object_id')],
})
