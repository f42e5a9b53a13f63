import { isJsonObject } from '../../schema/json.ts'
import { checkSchema } from '../../schema/json-schema.ts'
import {
  behaviour,
  type Change,
  type Normalizer,
  type Refusal,
  type Rule,
} from '../../schema/rule.ts'
import { moduleType } from './module-type.ts'
import { moduleTypeProfile } from './module-type-profile.ts'
import { refuseNegative } from './not-negative.rules.ts'
import { weightNeedsUnit } from './weight.rules.ts'

type TypeChange = Change<typeof moduleType.fields>

const schemaOf = async ({ next, read }: TypeChange): Promise<unknown> => {
  if (next.profile === null) return undefined
  const { schema } = await read.get(moduleTypeProfile, next.profile)
  return isJsonObject(schema) && Object.keys(schema).length > 0 ? schema : undefined
}

/** A change contains only the attributes that differ; the others stay. */
const mergeAttributes: Normalizer<typeof moduleType.fields> = ({ next, previous, sent }) =>
  sent.has('attributes') && isJsonObject(next.attributes) && isJsonObject(previous?.attributes)
    ? { attributes: { ...previous.attributes, ...next.attributes } }
    : undefined

const attributesFitSchema: Rule<typeof moduleType.fields> = async (
  change,
): Promise<Refusal | undefined> => {
  const schema = await schemaOf(change)
  const complaint = schema === undefined ? undefined : checkSchema(schema, change.next.attributes)
  return complaint === undefined ? undefined : { __all__: complaint }
}

/** Without a schema stored attributes have no meaning and are dropped; those of the body stay. */
const dropMeaninglessAttributes: Normalizer<typeof moduleType.fields> = async (change) => {
  const { next, previous, sent } = change
  if (!previous || next.attributes === null || sent.has('attributes')) return
  return (await schemaOf(change)) === undefined ? { attributes: null } : undefined
}

export const moduleTypeBehaviour = behaviour(moduleType, {
  normalize: [mergeAttributes],
  modelRules: [weightNeedsUnit, refuseNegative('weight'), attributesFitSchema],
  beforeSave: [dropMeaninglessAttributes],
})
