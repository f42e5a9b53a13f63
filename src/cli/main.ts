import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// Caches compiled modules on disk, which halves the time of a start. Where the directory is not writable nothing is
// cached.
enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/cadastre'))

// Only modules that are imported from here on are cached.
const { tunedStart } = await import('./allocator-tuning.ts')
const lean = tunedStart({ arguments: process.argv.slice(2), environment: process.env })
// The same process starts again with the new environment. A process with a channel to its parent would lose that;
// Windows cannot do it.
if (lean && process.send === undefined && process.platform !== 'win32') {
  const { execPath, execArgv, argv } = process
  const options = [...execArgv, ...lean.options]
  process.execve?.(execPath, [execPath, ...options, ...argv.slice(1)], lean.environment)
}
await import('./program.ts')
