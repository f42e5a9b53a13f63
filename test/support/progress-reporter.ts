import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node'

/** Milliseconds between two lines about the progress. */
const INTERVAL = 30_000
/** Milliseconds without a finished test after which the run is given up. No test takes nearly as long. */
const LONGEST_PAUSE = 15 * 60_000
/** Seconds from which a file is among those that are listed at the end, and how many are at most. */
const SLOW = 5
const SLOWEST = 20

/**
 * Prints a line about the progress of a long run every half a minute. Tests have no time limit of their own, since
 * limits fail on a busy machine. Instead, a run in which no test finishes any more is stopped, and the tests that were
 * running are named. The slowest files are listed at the end, with their share of the time of all files.
 */
export class ProgressReporter implements Reporter {
  readonly #running = new Map<string, string>()
  readonly #counts = { passed: 0, failed: 0, skipped: 0, pending: 0 }
  #start = 0
  #lastEnd = 0
  #timer: NodeJS.Timeout | undefined

  onInit(vitest: Vitest): void {
    vitest.onClose(() => clearInterval(this.#timer))
  }

  onTestRunStart(): void {
    this.#start = this.#lastEnd = performance.now()
    this.#timer = setInterval(() => this.#report(), INTERVAL).unref()
  }

  onTestModuleStart({ id, relativeModuleId }: TestModule): void {
    this.#running.set(id, relativeModuleId)
  }

  onTestCaseReady({ module, fullName }: TestCase): void {
    this.#running.set(module.id, `${module.relativeModuleId} > ${fullName}`)
  }

  onTestCaseResult(test: TestCase): void {
    this.#counts[test.result().state] += 1
    this.#lastEnd = performance.now()
  }

  onTestModuleEnd({ id }: TestModule): void {
    this.#running.delete(id)
    this.#lastEnd = performance.now()
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    clearInterval(this.#timer)
    const files = modules.map((module) => ({ name: module.relativeModuleId, seconds: secondsOf(module) }))
    const total = files.reduce((sum, { seconds }) => sum + seconds, 0)
    const slow = files.filter(({ seconds }) => seconds >= SLOW).toSorted((a, b) => b.seconds - a.seconds)
    for (const { name, seconds } of slow.slice(0, SLOWEST)) {
      const [time, share] = [Math.round(seconds), Math.round((100 * seconds) / total)]
      console.log(`${String(time).padStart(6)} s ${String(share).padStart(3)} %  ${name}`)
    }
  }

  #report(): void {
    const { passed, failed } = this.#counts
    const seconds = Math.round((performance.now() - this.#start) / 1000)
    const underWay = [...this.#running.values()].join(', ')
    console.error(`${seconds} s: ${passed} passed, ${failed} failed; under way: ${underWay}`)
    if (performance.now() - this.#lastEnd > LONGEST_PAUSE) {
      console.error(`No test has ended for ${LONGEST_PAUSE / 60_000} minutes: the run is stopped.`)
      process.exit(1)
    }
  }
}

const secondsOf = (module: TestModule): number => {
  const { duration, setupDuration } = module.diagnostic()
  return (duration + setupDuration) / 1000
}

// Vitest loads a reporter by the default export of its file.
export default ProgressReporter
