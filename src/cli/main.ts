import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// Types are stripped and modules compiled once, not at each start, which takes half the time. Where nothing can be
// written nothing is kept.
enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/cadastre'))

// Only what is imported from here on is kept.
const { tunedStart } = await import('./allocator-tuning.ts')
const lean = tunedStart({ arguments: process.argv.slice(2), environment: process.env })
// The same process goes on, with another beginning. Whoever talks to it through a channel would lose it; Windows cannot.
if (lean && process.send === undefined && process.platform !== 'win32') {
  const { execPath, execArgv, argv } = process
  const options = [...execArgv, ...lean.options]
  process.execve?.(execPath, [execPath, ...options, ...argv.slice(1)], lean.environment)
}
await import('./program.ts')
