import { fieldGroup, modelView, words } from '../../schema/view.ts'

export const customFieldChoiceSetView = modelView('extras.customfieldchoiceset', {
  columns: ['name', 'base_choices', 'description'],
  moreColumns: ['id', 'extra_choices', 'order_alphabetically', 'created', 'last_updated', 'owner'],
  labels: { extra_choices: 'Count', order_alphabetically: 'Order Alphabetically' },
  panels: [
    [fieldGroup('Custom Field Choice Set', 'name description base_choices order_alphabetically')],
  ],
  cloned: ['extra_choices', 'choice_colors', 'order_alphabetically'],
  form: [
    fieldGroup(
      'Custom Field Choice Set',
      'name description base_choices extra_choices choice_colors order_alphabetically',
    ),
  ],
  filters: [fieldGroup('Choices', ['base_choices', 'choice', 'choice_colors'])],
  bulkEdit: [fieldGroup('', ['owner', 'base_choices', 'description', 'order_alphabetically'])],
  imports: words(
    'name description base_choices extra_choices choice_colors order_alphabetically owner.name',
  ),
})
