import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// Caches compiled modules on disk, which halves the time of a start. If the directory is not writable, nothing is
// cached.
enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/cadastre'))

// Only modules that are imported from here on are cached.
await import('./program.ts')
