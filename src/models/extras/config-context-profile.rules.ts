import { checkSchema } from '../../schema/custom-value.ts'
import { type Rule, rulesFor } from '../../schema/rule.ts'
import { configContextProfile } from './config-context-profile.ts'

const schemaCanBeUsed: Rule<typeof configContextProfile.fields> = ({ next }) => {
  if (next.schema === null) return
  const complaint = checkSchema(next.schema, null)
  return complaint?.startsWith('The JSON schema') ? { schema: complaint } : undefined
}

export const configContextProfileRules = rulesFor(configContextProfile, schemaCanBeUsed)
