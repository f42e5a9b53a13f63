import { fieldGroup, modelView } from '../../schema/view.ts'

export const circuitGroupAssignmentView = modelView('circuits.circuitgroupassignment', {
  columns: ['group', 'member_type', 'member', 'priority'],
  moreColumns: ['id', 'created', 'last_updated', 'tags'],
  labels: { member_type: 'Type', member: 'Circuit' },
  formLabels: { member: 'Circuit' },
  panels: [[fieldGroup('Circuit group assignment', ['group', 'member', 'priority'])]],
  form: [fieldGroup('Group Assignment', ['group', 'member', 'priority', 'tags'])],
  filters: [fieldGroup('Assignment', ['provider_id', 'member_id', 'group_id', 'priority'])],
  bulkEdit: [fieldGroup('', ['member', 'priority'])],
  importRequires: ['member_type', 'member_id'],
  imports: ['member_type', 'member_id', 'group.id', 'priority', 'tags.slug'],
})
