import { fieldGroup, modelView, words } from '../../schema/view.ts'

export const rackTypeView = modelView('dcim.racktype', {
  context: ['manufacturer'],
  columns: ['model', 'manufacturer', 'u_height', 'description', 'rack_count'],
  moreColumns: words(`
    id form_factor starting_unit width outer_width outer_height outer_depth mounting_depth weight
    max_weight comments tags created last_updated owner.group owner
  `),
  labels: {
    u_height: 'Height',
    outer_width: 'Outer Width',
    outer_height: 'Outer Height',
    outer_depth: 'Outer Depth',
    max_weight: 'Max Weight',
    rack_count: 'Rack Count',
  },
  panels: [
    [
      fieldGroup('Rack type', ['manufacturer', 'model', 'description']),
      fieldGroup(
        'Dimensions',
        'form_factor width u_height outer_width outer_height outer_depth mounting_depth',
      ),
    ],
    [
      fieldGroup('Numbering', ['starting_unit', 'desc_units']),
      fieldGroup('Weight', ['weight', 'max_weight']),
    ],
  ],
  cloned: words(`
    manufacturer form_factor width u_height desc_units outer_width outer_height outer_depth
    outer_unit mounting_depth weight max_weight weight_unit
  `),
  form: [
    fieldGroup('Rack Type', 'manufacturer model slug description form_factor tags'),
    fieldGroup(
      'Dimensions',
      `
        width u_height outer_width outer_height outer_depth outer_unit weight max_weight weight_unit
        mounting_depth
      `,
    ),
    fieldGroup('Numbering', ['starting_unit', 'desc_units']),
  ],
  filters: [
    fieldGroup('Rack Type', ['manufacturer_id', 'form_factor', 'width', 'u_height', 'rack_count']),
    fieldGroup('Numbering', ['starting_unit', 'desc_units']),
    fieldGroup('Weight', ['weight', 'max_weight', 'weight_unit']),
  ],
  bulkEdit: [
    fieldGroup('Rack Type', ['manufacturer', 'description', 'form_factor', 'width', 'u_height']),
    fieldGroup(
      'Dimensions',
      `
        outer_width outer_height outer_depth outer_unit weight max_weight weight_unit mounting_depth
      `,
    ),
    fieldGroup('Numbering', ['starting_unit', 'desc_units']),
  ],
  importRequires: ['width', 'u_height'],
  imports: words(`
    manufacturer.name model slug form_factor width u_height starting_unit desc_units outer_width
    outer_height outer_depth outer_unit mounting_depth weight max_weight weight_unit description
    owner.name comments tags.slug
  `),
  search: {
    weights: { model: 100, description: 500, comments: 5000 },
    shown: ['model', 'description'],
  },
})
