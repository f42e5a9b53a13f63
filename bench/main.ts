import { readFileSync, writeFileSync } from 'node:fs'
import { Command, Option } from 'commander'
import { applyTwice } from './apply-twice.ts'
import type { Access } from './client.ts'
import { compareRuns } from './compared-runs.ts'
import { measureGrowth, SCALES } from './growth.ts'
import { machine } from './machine.ts'
import {
  connectionCounts,
  fillingOf,
  nameFilter,
  positiveNumber,
  type RunArguments,
} from './options.ts'
import { readReference } from './reference/table.ts'
import { compareResults } from './report/compare.ts'
import { type CpuProfile, flameGraph } from './report/flame-graph.ts'
import { MEASUREMENT_HEADER } from './report/lines.ts'
import { reportSection } from './report/markdown.ts'
import { turnTable } from './report/turn-table.ts'
import { writeDocument } from './report/write-document.ts'
import { NOTHING_MEASURED, type Result, readResult, today, writeResult } from './result.ts'
import { runBenchmark } from './run.ts'
import { startOwnServer } from './servers/own-server.ts'
import { useRemoteServer } from './servers/remote-server.ts'
import { measureSizes, sizeTable } from './sizes.ts'
import { measureInTurns } from './turns.ts'

const EXAMPLES = `
Settings of our own server come from the environment: WORKERS=2 npm run bench.

Examples (PostgreSQL comes with the installation):
  npm run bench                                         10,000 devices on PostgreSQL
  npm run bench -- --scale 1 --limit                    a million interfaces; compared with a bare server
  npm run bench -- --data <directory> --reference <performance.md> --limit --output run
  npm run bench -- --storage pglite --data <directory> --output pglite
  npm run bench -- --data <directory> --without-caches --output without-caches
  npm run bench -- --growth --output growth             10 thousand, 100 thousand, 1 million interfaces
  npm run bench -- --url https://… --token <key>        a running server
  npm run bench -- compare before.json after.json
  npm run bench -- apply --data <directory>             its documents applied twice
  npm run bench -- turns http://localhost:8000 http://localhost:8001 --token <key> --seconds 0.3
  npm run bench -- sizes http://localhost:8000 http://localhost:8001 --token <key> --seconds 0.3
  npm run bench -- report run.json without-caches.json growth.json --reference <performance.md> \\
      --document docs/performance.md --tables bench/results`

const program = new Command('bench')
  .description('measures requests to a server of the API: one that it starts itself, or any other')
  .option('--url <address>', 'address of a running server; objects created there are removed again')
  .option('--token <key>', 'token for it, with write permission')
  .addOption(
    new Option('--storage <kind>', 'storage of our own server')
      .choices(['postgres', 'pglite'])
      .default('postgres'),
  )
  .option('--data <directory>', 'import this data set instead of generating one')
  .option('--scale <number>', 'size of the generated data: 1 is a million interfaces')
  .option('--devices <number>', 'number of devices, instead of a scale')
  .option('--interfaces <number>', '  (default: 10 per device)')
  .option('--addresses <number>', '  (default: 5 per device)')
  .option('--prefixes <number>', '  (default: 1 per two devices)')
  .option('--cables <number>', '  (default: as many as devices)')
  .option('--seed <number>', 'the same seed gives the same data')
  .option(
    '--seconds <number>',
    'duration of each read, for each number of connections and cache mode',
    positiveNumber,
    1.5,
  )
  .option('--connections <numbers>', 'numbers of concurrent connections', connectionCounts, [1, 8])
  .option('--only <text>', 'only requests whose names contain this text, in any case')
  .option('--read-only', 'no write requests')
  .option(
    '--without-caches',
    'our own server caches nothing: it reads and serialises the rows for every request',
  )
  .option('--limit', 'compare with a bare server that runs the same query (PostgreSQL only)')
  .option('--growth', 'only measure the same pages over data of three sizes')
  .option('--reference <file>', "the reference's measurements, to compare with")
  .option('--output <file>', 'write the result to <file>.json, <file>.md and a chart')
  .addHelpText('after', EXAMPLES)
  .action(async (given: RunArguments) => tell(await measure(given), given))

program
  .command('compare')
  .description('compare two results')
  .argument('<before>')
  .argument('<after>')
  .action((before: string, after: string) =>
    console.log(compareResults(readResult(before), readResult(after))),
  )

program
  .command('flame')
  .description('draw a profile of `node --cpu-prof` as an SVG picture')
  .argument('<profile>')
  .argument('<picture>')
  .option('--title <text>', 'text above it', '')
  .action((profile: string, picture: string, { title }: { title: string }) => {
    // A file that Node has written.
    const read = JSON.parse(readFileSync(profile, 'utf8')) as CpuProfile
    writeFileSync(picture, flameGraph(read, title))
  })

program
  .command('turns')
  .description('compare two running servers with the same data by measuring them alternately')
  .argument('<first>', 'address; objects created on both servers are removed again')
  .argument('<second>', 'address; --token is valid for both')
  .option('--turns <number>', 'measurements of each request on each server', positiveNumber, 7)
  .action(async (first: string, second: string, given: { turns: number }) => {
    const { token = '', only, readOnly = false, ...options } = program.opts<RunArguments>()
    const rows = await measureInTurns([access(first, token), access(second, token)], {
      ...given,
      ...options,
      readOnly,
      isWanted: nameFilter(only),
      progress: (text) => console.error(text),
    })
    console.log(turnTable(rows))
  })

program
  .command('apply')
  .description('apply the documents of an inventory twice to an empty database')
  .action(async () => {
    const given = program.opts<RunArguments>()
    const { first, second, summaries } = await applyTwice(given.storage, fillingOf(given))
    console.log(summaries.join('\n'))
    const share = Math.round((second / first) * 100)
    console.log(
      `First run ${Math.round(first)} ms, second ${Math.round(second)} ms: ${share} % of the first.`,
    )
  })

program
  .command('sizes')
  .description('compare the pages of two running servers, one with little data and one with much')
  .argument('<small>', 'address; nothing is changed')
  .argument('<large>', 'address; --token is valid for both')
  .option('--turns <number>', 'measurements of each request on each server', positiveNumber, 7)
  .action(async (small: string, large: string, given: { turns: number }) => {
    const { token = '', only, seconds } = program.opts<RunArguments>()
    const rows = await measureSizes([access(small, token), access(large, token)], {
      ...given,
      seconds,
      isWanted: nameFilter(only),
      progress: (text) => console.error(text),
    })
    console.log(sizeTable(rows))
  })

program
  .command('report')
  .description('write results, with charts, into a document')
  .argument('<results...>')
  .requiredOption('--document <file>', 'document to update; its other text stays')
  .option('--tables <directory>', 'write all tables there, and only summaries into the document')
  .action((files: readonly string[], given: { document: string; tables?: string }) => {
    const { reference } = program.opts<RunArguments>()
    writeDocument(given.document, files.map(readResult), {
      reference: reference === undefined ? undefined : readReference(reference),
      tables: given.tables,
    })
  })

async function measure(given: RunArguments): Promise<Result> {
  const { storage, seconds, connections, limit = false, readOnly = false } = given
  const { withoutCaches: nothingKept = false } = given
  const isWanted = nameFilter(given.only)
  const progress = (text: string) => console.log(text)
  if (given.growth) {
    const growth = await measureGrowth(storage, { scales: SCALES, seconds, nothingKept, progress })
    const words = nothingKept && { nothingKept }
    return {
      ...NOTHING_MEASURED,
      ...words,
      date: today(),
      target: storage,
      machine: machine(),
      growth,
    }
  }
  if (limit && (storage !== 'postgres' || given.url !== undefined)) {
    throw new Error('The limit is measured with a server of our own on PostgreSQL only.')
  }
  if (nothingKept && given.url !== undefined) {
    throw new Error('Only a server of our own can be started without caches.')
  }
  const target =
    given.url === undefined
      ? await startOwnServer(storage, fillingOf(given), { nothingKept })
      : await useRemoteServer(access(given.url, given.token ?? ''))
  try {
    console.log(MEASUREMENT_HEADER)
    const options = { seconds, connections, isWanted, readOnly, limit, nothingKept, progress }
    return await runBenchmark(target, options)
  } finally {
    await target.close()
  }
}

const access = (url: string, token: string): Access => ({ url: url.replace(/\/$/, ''), token })

function tell(result: Result, { reference, output }: RunArguments): void {
  const rows = reference === undefined ? undefined : readReference(reference)
  for (const runs of compareRuns([result])) {
    console.log(`\n${reportSection(runs, { reference: rows })}`)
  }
  if (output === undefined) return
  writeResult(`${output}.json`, result)
  writeDocument(`${output}.md`, [result], { reference: rows })
}

try {
  await program.parseAsync()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
