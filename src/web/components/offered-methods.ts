import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'

/** Whether the API has the method for objects of the model: jobs, for instance, can only be read. */
export const offersMethod = ({ definition }: Model, method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'): boolean =>
  definition.methods?.includes(method) ?? true

/**
 * Whether objects of the model can be imported; tokens cannot, since their secrets are shown only once, at creation.
 */
export const isImportable = (model: Model): boolean => model.name !== SYSTEM.token && offersMethod(model, 'POST')
