import { fieldGroup, modelView } from '../../schema/view.ts'

export const virtualDiskView = modelView('virtualization.virtualdisk', {
  context: ['virtual_machine'],
  columns: ['name', 'virtual_machine', 'size', 'description'],
  moreColumns: ['id', 'tags'],
  labels: { virtual_machine: 'Virtual Machine' },
  panels: [[fieldGroup('Virtual disk', ['virtual_machine', 'name', 'size', 'description'])]],
  form: [fieldGroup('Disk', ['virtual_machine', 'name', 'size', 'description', 'tags'])],
  filters: [
    fieldGroup('Virtual Machine', ['virtual_machine_id']),
    fieldGroup('Attributes', ['size']),
  ],
  bulkEdit: [
    fieldGroup('', ['size', 'description']),
    fieldGroup('More', ['owner', 'virtual_machine']),
  ],
  imports: ['virtual_machine.name', 'name', 'size', 'description', 'owner.name', 'tags.slug'],
  search: {
    weights: { name: 100, description: 500 },
    shown: ['virtual_machine', 'size', 'description'],
  },
})
