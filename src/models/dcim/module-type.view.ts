import { fieldGroup, modelView, words } from '../../schema/view.ts'
import { componentLists } from './component-lists.ts'

export const moduleTypeView = modelView('dcim.moduletype', {
  context: ['manufacturer'],
  columns: ['model', 'profile', 'manufacturer', 'part_number', 'module_count'],
  moreColumns: words(`
    id airflow weight description attributes comments tags created last_updated owner.group owner
  `),
  labels: { model: 'Module Type', module_count: 'Module Count' },
  panels: [
    [
      fieldGroup(
        'Module type',
        'profile manufacturer model part_number description airflow weight',
      ),
    ],
  ],
  tabs: [
    {
      path: 'interfaces',
      label: 'Interfaces',
      model: 'dcim.interfacetemplate',
      by: { module_type_id: 'id' },
      hiddenIfEmpty: true,
    },
    {
      path: 'front-ports',
      label: 'Front Ports',
      model: 'dcim.frontporttemplate',
      by: { module_type_id: 'id' },
      hiddenIfEmpty: true,
    },
    {
      path: 'rear-ports',
      label: 'Rear Ports',
      model: 'dcim.rearporttemplate',
      by: { module_type_id: 'id' },
      hiddenIfEmpty: true,
    },
    {
      path: 'console-ports',
      label: 'Console Ports',
      model: 'dcim.consoleporttemplate',
      by: { module_type_id: 'id' },
      hiddenIfEmpty: true,
    },
    {
      path: 'console-server-ports',
      label: 'Console Server Ports',
      model: 'dcim.consoleserverporttemplate',
      by: { module_type_id: 'id' },
      hiddenIfEmpty: true,
    },
    {
      path: 'power-ports',
      label: 'Power Ports',
      model: 'dcim.powerporttemplate',
      by: { module_type_id: 'id' },
      hiddenIfEmpty: true,
    },
    {
      path: 'power-outlets',
      label: 'Power Outlets',
      model: 'dcim.poweroutlettemplate',
      by: { module_type_id: 'id' },
      hiddenIfEmpty: true,
    },
    {
      path: 'module-bays',
      label: 'Module Bays',
      model: 'dcim.modulebaytemplate',
      by: { module_type_id: 'id' },
      hiddenIfEmpty: true,
    },
  ],
  cloned: ['profile', 'manufacturer', 'weight', 'weight_unit', 'airflow'],
  form: [
    fieldGroup('Module Type', ['manufacturer', 'model', 'part_number', 'description', 'tags']),
    fieldGroup('Hardware', ['airflow', 'weight', 'weight_unit']),
    fieldGroup('Profile & Attributes', ['profile']),
  ],
  filters: [
    fieldGroup('Hardware', 'profile_id manufacturer_id part_number module_count airflow'),
    fieldGroup(
      'Components',
      `
        console_ports console_server_ports power_ports power_outlets interfaces pass_through_ports
        module_bays
      `,
    ),
    fieldGroup('Weight', ['weight', 'weight_unit']),
  ],
  bulkEdit: [
    fieldGroup('Module Type', ['profile', 'manufacturer', 'part_number', 'description']),
    fieldGroup('Chassis', ['airflow', 'weight', 'weight_unit']),
  ],
  importColumns: {
    attribute_data: { value: 'json', field: 'attributes' },
    attributes: { value: 'json', field: 'attributes' },
  },
  importComponents: componentLists('module_type'),
  imports: words(`
    manufacturer.name model part_number description airflow weight weight_unit profile.name
    attribute_data owner.name comments tags.slug
  `),
  search: {
    weights: { model: 100, part_number: 200, description: 500, comments: 5000 },
    shown: ['manufacturer', 'model', 'part_number', 'description'],
  },
})
