import { fieldGroup, modelView } from '../../schema/view.ts'

export const inventoryItemTemplateView = modelView('dcim.inventoryitemtemplate', {
  context: ['device_type'],
  columns: ['display', 'name', 'description', '_depth'],
  moreColumns: ['label', 'parent', 'role', 'manufacturer', 'part_id', 'component'],
  panels: [
    [
      fieldGroup(
        'Inventory item template',
        `
          device_type parent name label role manufacturer part_id description component_type
          component_id component
        `,
      ),
    ],
  ],
  form: [
    fieldGroup('', 'device_type parent name label role manufacturer part_id description'),
    fieldGroup('Component Assignment', ['component']),
  ],
  importColumns: {
    component_type: {},
    component_name: { to: { typeIn: 'component_type' }, assigns: 'component' },
  },
  narrowedBy: { parent: { device_type_id: 'device_type' } },
  bulkEdit: [fieldGroup('', ['label', 'description', 'role', 'manufacturer'])],
})
