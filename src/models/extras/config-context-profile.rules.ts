import { checkSchema } from '../../schema/custom-value.ts'
import { behaviour, type Rule } from '../../schema/rule.ts'
import { configContextProfile } from './config-context-profile.ts'
import { followDataFile } from './data-file.rules.ts'

const schemaCanBeUsed: Rule<typeof configContextProfile.fields> = ({ next }) => {
  if (next.schema === null) return
  const complaint = checkSchema(next.schema, null)
  return complaint?.startsWith('The JSON schema') ? { schema: complaint } : undefined
}

export const configContextProfileBehaviour = behaviour(configContextProfile, {
  normalize: [followDataFile],
  modelRules: [schemaCanBeUsed],
})
