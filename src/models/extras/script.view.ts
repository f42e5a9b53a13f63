import { fieldGroup, modelView } from '../../schema/view.ts'

export const scriptView = modelView('extras.script', {
  columns: ['name', 'description', 'display'],
  panels: [
    [fieldGroup('Script', ['module', 'name', 'description', 'vars', 'result', 'is_executable'])],
  ],
})
