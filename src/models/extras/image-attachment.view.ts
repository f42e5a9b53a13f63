import { fieldGroup, modelView } from '../../schema/view.ts'

export const imageAttachmentView = modelView('extras.imageattachment', {
  columns: ['image', 'parent', 'description'],
  panels: [[fieldGroup('Image Attachment', ['parent', 'name', 'description'])]],
  form: [fieldGroup('', ['parent', 'image', 'name', 'description'])],
  filters: [fieldGroup('Attributes', ['object_type_id', 'name'])],
  bulkEdit: [fieldGroup('', ['description'])],
  search: { weights: { name: 100, description: 500 }, shown: ['description'] },
})
