import { fieldGroup, modelView } from '../../schema/view.ts'

export const bookmarkView = modelView('extras.bookmark', {
  columns: ['object', 'object_type', 'created'],
  moreColumns: ['id'],
  labels: { object_type: 'Object Type' },
  panels: [[fieldGroup('Bookmark', ['object_type', 'object_id', 'object', 'user'])]],
})
