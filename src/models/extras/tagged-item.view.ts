import { fieldGroup, modelView } from '../../schema/view.ts'

export const taggedItemView = modelView('extras.taggeditem', {
  columns: ['display', 'object_type', 'object_id', 'object', 'tag'],
  panels: [[fieldGroup('Tagged item', ['object_type', 'object_id', 'object', 'tag'])]],
})
