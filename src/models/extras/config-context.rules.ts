import { isJsonObject } from '../../schema/json.ts'
import { checkSchema } from '../../schema/json-schema.ts'
import { behaviour, type Refusal, type Rule } from '../../schema/rule.ts'
import { configContext } from './config-context.ts'
import { configContextProfile } from './config-context-profile.ts'
import { fileIsUsable, followDataFile } from './data-file.rules.ts'
import { CONTEXT_DATA } from './synced-field.ts'

/** Both errors are reported together, as in NetBox 4.6.8. */
const dataFits: Rule<typeof configContext.fields> = async ({ next, read }) => {
  const { data, profile: id } = next
  const isFilled = isJsonObject(data) && Object.keys(data).length > 0
  const refusal: Refusal = isFilled ? {} : { data: 'Context data is an object of values by name.' }
  if (id === null || !isJsonObject(data)) return refusal
  const { schema, display } = await read.get(configContextProfile, id)
  const isChecked = isJsonObject(schema) && Object.keys(schema).length > 0
  const complaint = isChecked ? checkSchema(schema, data) : undefined
  return complaint ? { ...refusal, __all__: `Profile ${display}: ${complaint}` } : refusal
}

export const configContextBehaviour = behaviour(configContext, {
  normalize: [followDataFile(CONTEXT_DATA)],
  modelRules: [fileIsUsable(CONTEXT_DATA), dataFits],
})
