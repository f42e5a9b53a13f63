import type { Model } from '../../schema/registry.ts'

/** Whether the API has the method for objects of the model: jobs, for instance, can only be read. */
export const offersMethod = ({ definition }: Model, method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'): boolean =>
  definition.methods?.includes(method) ?? true
