import type { Model } from './registry.ts'

/** Path below /api/ of the list that contains the model's collection: `dcim`, `plugins/acme`. */
export const rootPathOf = ({ path, plugin }: Pick<Model, 'path' | 'plugin'>): string =>
  plugin ? `plugins/${plugin.path ?? plugin.name}` : (path.split('/')[0] ?? '')
