import { description, LOGGED, timestamps } from '../../schema/common.ts'
import { file, genericForeignKey, integer, text } from '../../schema/field.ts'
import { objectTypeFilter } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { behaviour } from '../../schema/rule.ts'
import { registered, words } from '../../schema/view.ts'
import { sql } from '../../sql/fragment.ts'
import { namedObjectExists } from './object-exists.rules.ts'

/** An image of an object. */
export const imageAttachment = model({
  name: 'extras.imageattachment',
  path: 'extras/image-attachments',
  page: false,
  labels: ['image attachment', 'image attachments'],

  fields: {
    parent: genericForeignKey(['feature:imageAttachments'], {
      lateTargets: true,
      nullable: false,
      typeField: 'object_type',
      idField: 'object_id',
      related: 'images',
      listsTypes: true,
    }),
    name: text({ max: 50, default: '' }),
    image: file({ image: true, directory: 'image-attachments' }),
    description,
    image_height: integer({ size: 'small', range: [0, 32767], readOnly: true }),
    image_width: integer({ size: 'small', range: [0, 32767], readOnly: true }),
    image_size: integer({
      size: 'big',
      range: [0, Number.MAX_SAFE_INTEGER],
      nullable: true,
      readOnly: true,
    }),
    ...timestamps,
  },

  display: (column) =>
    sql`coalesce(nullif(${column('name')}, ''), regexp_replace(${column('image')}, '^.*/[^/_]+_[0-9]+_', ''))`,
  brief: ['id', 'url', 'display', 'name', 'image', 'description'],
  order: ['name', 'id'],
  search: ['description', 'name', 'image'],

  filters: { object_type_id: objectTypeFilter('object_type', { byId: true, single: true }) },
  features: LOGGED,
  changeRelates: 'parent',
})

export const imageAttachmentModel = registered(imageAttachment, {
  behaviour: behaviour(imageAttachment, {
    serializerRules: [namedObjectExists('object_type', 'object_id')],
  }),
  columns: words('image parent description'),
  moreColumns: { plus: words('object_type image_height image_width') },
  labels: { object_type: 'Object Type', parent: 'Object' },
  panels: { 'Image Attachment': words('parent name description') },
  cloned: ['parent'],
  shownElsewhere: ['image'],
  form: words('parent image name description'),
  filters: { Attributes: words('object_type_id name') },
  bulkEdit: ['description'],
  search: { weights: { image: 110 }, shown: ['description'] },
})
