import { comments, description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { json, text } from '../../schema/field.ts'
import { isJsonObject } from '../../schema/json.ts'
import { complainOfSchema } from '../../schema/json-schema.ts'
import { model } from '../../schema/model.ts'
import { type Rule, rulesFor } from '../../schema/rule.ts'
import { registered, words } from '../../schema/view.ts'

/** A kind of module type and the schema of its attributes. */
export const moduleTypeProfile = model({
  name: 'dcim.moduletypeprofile',
  path: 'dcim/module-type-profiles',
  labels: ['module type profile', 'module type profiles'],

  fields: {
    name: text({ max: 100, unique: true }),
    description,
    schema: json({ nullable: true }),
    owner,
    comments,
    ...housekeeping,
  },

  brief: ['id', 'url', 'display', 'name', 'description'],
  order: ['name'],
  search: ['comments', 'name', 'description'],

  features: PRIMARY,
})

const schemaIsUsable: Rule<typeof moduleTypeProfile.fields> = ({ next }) => {
  if (next.schema === null) return
  if (!isJsonObject(next.schema)) return { schema: 'A JSON schema must be an object.' }
  const complaint = complainOfSchema(next.schema)
  return complaint === undefined ? undefined : { schema: complaint }
}

export const moduleTypeProfileModel = registered(moduleTypeProfile, {
  behaviour: rulesFor(moduleTypeProfile, schemaIsUsable),
  columns: words('name description'),
  panels: words('name description'),
  tables: [{ model: 'dcim.moduletype', by: { profile_id: 'id' }, label: 'Module Types' }],
  cloned: ['schema'],
  form: { Profile: words('name description schema tags') },
  bulkEdit: { Profile: words('name description schema') },
  search: { shown: words('name description') },
})
