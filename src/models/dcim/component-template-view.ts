import { fieldGroup, type ModelView, modelView } from '../../schema/view.ts'

interface ComponentTemplateView extends Partial<Omit<ModelView, 'model'>> {
  /** Heading of the panel. */
  readonly heading: string
  /** Relations to the types that can have such a component. */
  readonly types?: readonly string[]
  /** The model's own fields, which can all be changed for many objects at once. */
  readonly fields: readonly string[]
}

/** The view of a component that devices and modules get from their type: name, label, its own `fields`, description. */
export function componentTemplateView(
  model: string,
  {
    heading,
    types = ['device_type', 'module_type'],
    fields,
    ...differences
  }: ComponentTemplateView,
): ModelView {
  const all = [...types, 'name', 'label', ...fields, 'description']
  return modelView(model, {
    context: types,
    columns: ['display', 'name', 'description'],
    moreColumns: ['label', ...fields],
    panels: [[fieldGroup(heading, all)]],
    form: [fieldGroup('', all)],
    bulkEdit: [fieldGroup('', ['label', ...fields, 'description'])],
    ...differences,
  })
}
