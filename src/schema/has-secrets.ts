import type { Model } from './registry.ts'

/** Whether bodies or responses of the model may contain passwords or keys in plain text. */
export const hasSecrets = ({ definition, fields }: Model): boolean =>
  definition.hasSecrets === true ||
  [...fields.values()].some((field) => 'writeOnly' in field && field.writeOnly === true)
