import type { Model, Registry } from '../../schema/registry.ts'
import { isWritable } from '../../schema/writable.ts'

/** Whether the value of the field can be changed where it stands: the form of its object has one control for it. */
export function isInlineField(registry: Registry, model: Model, path: string): boolean {
  const field = model.fields.get(path)
  if (!field || !isWritable(field)) return false
  const { form = [], objectLists = {} } = registry.view(model)
  return !Object.hasOwn(objectLists, path) && form.some(({ fields }) => fields.includes(path))
}
