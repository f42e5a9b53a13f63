import { fieldGroup, modelView } from '../../schema/view.ts'

export const fhrpGroupAssignmentView = modelView('ipam.fhrpgroupassignment', {
  context: ['group', 'interface'],
  columns: ['display', 'group', 'interface_type', 'interface_id', 'priority'],
  moreColumns: ['interface'],
  panels: [
    [fieldGroup('FHRP group assignment', 'group interface_type interface_id interface priority')],
  ],
  cloned: ['interface'],
  form: [fieldGroup('', ['interface', 'group', 'priority'])],
})
