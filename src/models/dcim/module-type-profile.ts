import { comments, description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { json, text } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'

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
