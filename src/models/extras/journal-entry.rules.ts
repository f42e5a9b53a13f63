import { behaviour } from '../../schema/rule.ts'
import { journalEntry } from './journal-entry.ts'
import { namedObjectExists } from './object-exists.rules.ts'

export const journalEntryBehaviour = behaviour(journalEntry, {
  serializerRules: [namedObjectExists('assigned_object_type', 'assigned_object_id')],
})
