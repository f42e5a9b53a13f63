import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// Types are stripped and modules compiled once, not at each start, which takes half the time. Where nothing can be
// written nothing is kept.
enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/cadastre'))

// Only what is imported from here on is kept.
await import('./program.ts')
