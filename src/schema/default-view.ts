import type { Field } from './field.ts'
import type { Model } from './registry.ts'
import { fieldGroup, type ModelView } from './view.ts'
import { isWritable } from './writable.ts'

/** Fields that every page shows in a place of their own, or not at all. */
const ELSEWHERE =
  /^(id|url|display|display_url|display_name|tags|custom_fields|comments|created|last_updated)$|_count$|^_/

/** The view of a model that declares none: its fields in their order. */
export function defaultView(model: Model): ModelView {
  const shown = model.answer.filter((name) => !ELSEWHERE.test(name))
  const written = [...model.fields]
    .filter(([name, field]) => isEdited(name, field))
    .map(([name]) => name)
  const [singular] = model.definition.labels
  return {
    model: model.name,
    columns: shown.slice(0, 7),
    panels: [[fieldGroup(`${singular.charAt(0).toUpperCase()}${singular.slice(1)}`, shown)]],
    form: [fieldGroup('', written)],
    bulkEdit: [fieldGroup('', written)],
    imports: written,
  }
}

const isEdited = (name: string, field: Field): boolean =>
  isWritable(field) && name !== 'custom_fields' && !name.startsWith('_')
