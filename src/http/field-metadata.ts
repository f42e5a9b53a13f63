import type { Model, Registry } from '../schema/registry.ts'
export const fieldsMetadata = (_registry: Registry, model: Model): Record<string, unknown> =>
  Object.fromEntries(model.answer.map((n) => [n, {}]))
