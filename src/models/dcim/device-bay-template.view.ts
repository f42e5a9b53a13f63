import { fieldGroup, modelView } from '../../schema/view.ts'

export const deviceBayTemplateView = modelView('dcim.devicebaytemplate', {
  context: ['device_type'],
  columns: ['display', 'name', 'enabled', 'description'],
  moreColumns: ['label'],
  panels: [
    [fieldGroup('Device bay template', ['device_type', 'name', 'label', 'enabled', 'description'])],
  ],
  form: [fieldGroup('', ['device_type', 'name', 'label', 'enabled', 'description'])],
  bulkEdit: [fieldGroup('', ['label', 'description', 'enabled'])],
})
