import { join } from 'node:path'

/** PLUGINS with the example. */
export const PLUGINS = join(import.meta.dirname, '../../examples/maintenance.ts')
