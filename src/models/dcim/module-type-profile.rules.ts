import { isJsonObject } from '../../schema/json.ts'
import { complainOfSchema } from '../../schema/json-schema.ts'
import { type Rule, rulesFor } from '../../schema/rule.ts'
import { moduleTypeProfile } from './module-type-profile.ts'

const schemaIsUsable: Rule<typeof moduleTypeProfile.fields> = ({ next }) => {
  if (next.schema === null) return
  if (!isJsonObject(next.schema)) return { schema: 'A JSON schema is an object.' }
  const complaint = complainOfSchema(next.schema)
  return complaint === undefined ? undefined : { schema: complaint }
}

export const moduleTypeProfileBehaviour = rulesFor(moduleTypeProfile, schemaIsUsable)
