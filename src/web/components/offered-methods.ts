import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'

/** Whether the API has the method for objects of the model: jobs, for instance, can only be read. */
export const offersMethod = ({ definition }: Model, method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'): boolean =>
  definition.methods?.includes(method) ?? true

/**
 * Whether objects of the model can be imported; tokens cannot, since their secrets are shown only once, at creation.
 */
export const isImportable = (model: Model): boolean => model.name !== SYSTEM.token && offersMethod(model, 'POST')

/** Path, below that of its list, of the form for a type of one's own with its fields, or for a pack of one's own. */
export const NEW_OWN_MODEL = 'new/'

/** Models whose objects have such a form. */
const OWN_MODELS: ReadonlySet<string> = new Set([SYSTEM.customObjectType, SYSTEM.pack])

/** Path of the form for a new object, below that of the list. */
export const addPathOf = ({ name }: Model): string => (OWN_MODELS.has(name) ? NEW_OWN_MODEL : 'add/')
