import { fieldGroup, modelView, words } from '../../schema/view.ts'

export const virtualMachineTypeView = modelView('virtualization.virtualmachinetype', {
  columns: words(
    'name default_platform default_vcpus default_memory virtual_machine_count description',
  ),
  moreColumns: words('id slug comments tags created last_updated owner.group owner'),
  labels: { virtual_machine_count: 'VM count' },
  panels: [
    [
      fieldGroup(
        'Virtual machine type',
        'name default_platform default_vcpus default_memory description',
      ),
    ],
  ],
  cloned: ['default_platform', 'default_vcpus', 'default_memory'],
  form: [
    fieldGroup('Virtual Machine Type', ['name', 'slug', 'description', 'tags']),
    fieldGroup('Defaults', ['default_platform', 'default_vcpus', 'default_memory']),
  ],
  filters: [
    fieldGroup(
      'Attributes',
      'default_platform_id default_vcpus default_memory virtual_machine_count',
    ),
  ],
  bulkEdit: [
    fieldGroup('Virtual Machine Type', ['description']),
    fieldGroup('Defaults', ['default_platform', 'default_vcpus', 'default_memory']),
  ],
  imports: words(`
    name slug default_platform.name default_vcpus default_memory description owner.name comments
    tags.slug
  `),
  search: {
    weights: { name: 100, slug: 110, description: 500, comments: 5000 },
    shown: ['default_platform', 'default_vcpus', 'default_memory', 'description'],
  },
})
