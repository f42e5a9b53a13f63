import { parseOptions, USAGE } from './options.ts'
import { run } from './run.ts'
import { killAll } from './server.ts'

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    killAll()
    process.exit(130)
  })
}

try {
  const options = parseOptions(process.argv.slice(2))
  if (options === 'help') {
    console.log(USAGE)
  } else {
    process.exitCode = await run(options, {
      line: (text) => console.log(text),
      progress: (text) => console.error(text),
    })
  }
} catch (error) {
  killAll()
  console.error(error instanceof Error ? error.message : error)
  // Distinct from 1, which means that the run ended with failures.
  process.exitCode = 2
}
