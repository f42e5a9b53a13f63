import { fieldGroup, modelView, words } from '../../schema/view.ts'

export const interfaceTemplateView = modelView('dcim.interfacetemplate', {
  context: ['device_type', 'module_type'],
  columns: ['display', 'name', 'description'],
  moreColumns: words('label enabled mgmt_only type bridge poe_mode poe_type rf_role'),
  labels: { mgmt_only: 'Management Only', bridge: 'Bridge interface' },
  fieldLabels: { rf_role: 'Wireless role' },
  panels: [
    [
      fieldGroup(
        'Interface template',
        `
          device_type module_type name label type enabled mgmt_only description bridge poe_mode
          poe_type rf_role
        `,
      ),
    ],
  ],
  form: [
    fieldGroup('', 'device_type module_type name label type enabled mgmt_only description bridge'),
    fieldGroup('PoE', ['poe_mode', 'poe_type']),
    fieldGroup('Wireless', ['rf_role']),
  ],
  narrowedBy: { bridge: { device_type_id: 'device_type', module_type_id: 'module_type' } },
  bulkEdit: [fieldGroup('', 'label type enabled mgmt_only description poe_mode poe_type rf_role')],
})
