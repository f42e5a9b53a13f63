import { fieldGroup, modelView } from '../../schema/view.ts'

export const scriptView = modelView('extras.script', {
  columns: ['name', 'description', 'display'],
  panels: [[fieldGroup('Script', ['module', 'name', 'description', 'result', 'is_executable'])]],
})
