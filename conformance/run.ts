import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import {
  Dataset,
  type Host,
  hostDataSources,
  hostDocument,
  hostGraphql,
  hostImports,
  hostReads,
  hostScenarios,
  hostScripts,
  hostWebhooks,
} from './hosting.ts'
import { writeJsonReport } from './json-report.ts'
import { type KnownDifference, parseKnownDifferences } from './known-differences.ts'
import type { Options } from './options.ts'
import type { Outcome } from './outcome.ts'
import { laidOver } from './overlay.ts'
import { PLANS, type Plan } from './plan.ts'
import { percent, reportLines } from './report.ts'
import { type Judged, judge, ratio, staleRows, total } from './tally.ts'

const DIFFERENCES = join(import.meta.dirname, 'differences.md')

/** Output of a run: `line` for results, `progress` for interactive use only. */
export interface Output {
  line(text: string): void
  progress(text: string): void
}

/**
 * Performs a run and prints its report. Returns the exit code: 1 if a minimum is missed or, without minimums, if a
 * case failed; otherwise 0. If a server does not start, its cases count as failed.
 */
export async function run(options: Options, output: Output): Promise<number> {
  const known = readKnownDifferences(options.differences)
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'))
  try {
    const directory =
      options.over === undefined
        ? resolve(options.directory)
        : laidOver(resolve(options.directory), resolve(options.over), join(folder, 'reference'))
    const plans = options.parts.map((part) => PLANS[part](directory, options))
    const documents = plans.filter(({ part }) => part === 'openapi')
    const scenarios = plans.filter(({ part }) => part === 'scenarios')
    const webhooks = plans.filter(({ part }) => part === 'webhooks')
    const sources = plans.filter(({ part }) => part === 'data-sources')
    const scripts = plans.filter(({ part }) => part === 'scripts')
    const queries = plans.filter(({ part }) => part === 'graphql')
    const imports = plans.filter(({ part }) => part === 'imports')
    const others = [...documents, ...scenarios, ...webhooks, ...sources, ...scripts, ...queries, ...imports]
    const reads = plans.filter((plan) => !others.includes(plan))
    const dataset = new Dataset(directory, join(folder, 'dataset'), options)
    const results: Result[] = []
    try {
      results.push(
        await onServer(documents, output, () => hostDocument(join(folder, 'openapi'), options)),
        await onServer(reads, output, () => hostReads(dataset, join(folder, 'reads'), options)),
        await onServer(scenarios, output, () => hostScenarios(join(folder, 'scenarios'), options)),
        await onServer(webhooks, output, () => hostWebhooks(dataset, join(folder, 'webhooks'))),
        await onServer(queries, output, () => hostGraphql(dataset, join(folder, 'graphql'), options)),
        await onServer(imports, output, () => hostImports(dataset, join(folder, 'imports'))),
        await onServer(sources, output, () => hostDataSources(join(folder, 'sources'), options)),
        await onServer(scripts, output, () => hostScripts(dataset, join(folder, 'scripts'))),
      )
    } finally {
      await dataset.close()
    }
    const judged = judge(
      results.flatMap(({ outcomes }) => outcomes),
      known,
    )
    const notRun = results.reduce((sum, result) => sum + result.notRun, 0)
    return conclude({ plans, judged, notRun, known, options, output })
  } finally {
    if (options.keep) output.line(`kept: ${folder}`)
    else rmSync(folder, { recursive: true, force: true })
  }
}

function readKnownDifferences(path: string | undefined): KnownDifference[] {
  if (path === undefined && !existsSync(DIFFERENCES)) return []
  return parseKnownDifferences(readFileSync(path ?? DIFFERENCES, 'utf8'))
}

/** Results of the parts that share a server. */
interface Result {
  readonly outcomes: readonly Outcome[]
  /** Cases that could not run because there was no server. */
  readonly notRun: number
}

async function onServer(plans: readonly Plan[], output: Output, open: () => Promise<Host>): Promise<Result> {
  const busy = plans.filter(({ cases }) => cases > 0)
  if (busy.length === 0) return { outcomes: [], notRun: 0 }
  const names = busy.map(({ part }) => part).join(', ')
  const started = Date.now()
  let host: Host
  try {
    host = await open()
  } catch (error) {
    output.line(`no server for ${names}: ${error instanceof Error ? error.message : error}`)
    return { outcomes: [], notRun: busy.reduce((sum, { cases }) => sum + cases, 0) }
  }
  output.progress(`server for ${names}: ${seconds(started)}`)
  const outcomes: Outcome[] = []
  try {
    for (const plan of busy) outcomes.push(...(await timed(plan, host, output)))
  } finally {
    const lastWords = await host.stop()
    if (lastWords !== undefined) output.line(`the server for ${names} ended by itself, ${lastWords}`)
  }
  return { outcomes, notRun: 0 }
}

async function timed(plan: Plan, host: Host, output: Output): Promise<Outcome[]> {
  const started = Date.now()
  let told = started
  const outcomes = await plan.run(host, (done, all) => {
    if (Date.now() - told < 10_000) return
    told = Date.now()
    output.progress(`${plan.part}: ${done} of ${all}, ${seconds(started)}`)
  })
  output.progress(`${plan.part}: done, ${seconds(started)}`)
  return outcomes
}

const seconds = (since: number): string => `${((Date.now() - since) / 1000).toFixed(1)} s`

interface Conclusion {
  readonly plans: readonly Plan[]
  readonly judged: readonly Judged[]
  readonly notRun: number
  readonly known: readonly KnownDifference[]
  readonly options: Options
  readonly output: Output
}

function conclude({ plans, judged, notRun, known, options, output }: Conclusion): number {
  const leftOut = new Map(plans.map((plan) => [plan.part, plan.leftOut]))
  const { summary, limitFailures, report } = options
  for (const line of reportLines(judged, { summary, causes: limitFailures, leftOut })) {
    output.line(line)
  }
  const stale = staleRows(judged, known).map(({ id }) => id)
  if (stale.length > 0) {
    output.line('')
    output.line(`known differences that nothing needs any more: ${stale.join(', ')}`)
  }
  if (report !== undefined) writeJsonReport(report, judged, stale)

  const misses = missedMinimums(judged, options)
  output.line('')
  for (const miss of misses) output.line(miss)
  const { passed, failed, known: explained } = total(judged)
  output.line(`${passed} passed, ${failed + notRun} failed, ${explained} skipped`)
  if (options.minimum.size > 0 && notRun === 0) return misses.length > 0 ? 1 : 0
  return failed + notRun > 0 ? 1 : 0
}

/** A part that was not run, or that had no cases, misses its minimum. */
function missedMinimums(judged: readonly Judged[], { minimum }: Options): string[] {
  const misses: string[] = []
  for (const [part, least] of minimum) {
    const share = ratio(total(judged.filter(({ outcome }) => outcome.part === part)))
    if (share < least) misses.push(`below the minimum: ${part} ${percent(share)} < ${percent(least)}`)
  }
  return misses
}
