import { fieldGroup, modelView } from '../../schema/view.ts'

export const dataFileView = modelView('core.datafile', {
  context: ['source'],
  columns: ['source', 'path', 'size', 'last_updated'],
  moreColumns: ['id', 'hash'],
  panels: [[fieldGroup('Data File', ['source', 'path', 'last_updated', 'size', 'hash'])]],
  filters: [fieldGroup('File', ['source_id'])],
  search: { weights: { path: 200 }, shown: ['source'] },
})
