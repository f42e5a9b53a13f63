import { fieldGroup, modelView, words } from '../../schema/view.ts'

export const imageAttachmentView = modelView('extras.imageattachment', {
  columns: ['image', 'parent', 'description'],
  moreColumns: words('object_type name image_height image_width created last_updated id'),
  labels: { object_type: 'Object Type', parent: 'Object' },
  panels: [[fieldGroup('Image Attachment', ['parent', 'name', 'description'])]],
  cloned: ['parent'],
  form: [fieldGroup('', ['parent', 'image', 'name', 'description'])],
  filters: [fieldGroup('Attributes', ['object_type_id', 'name'])],
  bulkEdit: [fieldGroup('', ['description'])],
  search: { weights: { name: 100, image: 110, description: 500 }, shown: ['description'] },
})
