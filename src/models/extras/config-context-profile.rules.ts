import { complainOfSchema } from '../../schema/json-schema.ts'
import { behaviour, type Rule } from '../../schema/rule.ts'
import { configContextProfile } from './config-context-profile.ts'
import { fileIsUsable, followDataFile } from './data-file.rules.ts'
import { PROFILE_SCHEMA } from './synced-field.ts'

const schemaCanBeUsed: Rule<typeof configContextProfile.fields> = ({ next }) => {
  if (next.schema === null) return
  const complaint = complainOfSchema(next.schema)
  return complaint === undefined ? undefined : { schema: complaint }
}

export const configContextProfileBehaviour = behaviour(configContextProfile, {
  normalize: [followDataFile(PROFILE_SCHEMA)],
  modelRules: [fileIsUsable(PROFILE_SCHEMA), schemaCanBeUsed],
})
