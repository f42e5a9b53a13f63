import type { Reporter, SerializedError, TestModule, TestSuite } from 'vitest/node'

/** Ends the output of vitest with the line that .ci/run adds up: `N passed, N failed, N skipped`. */
export class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const counts = { passed: 0, failed: unhandled.length, skipped: 0, pending: 0 }
    for (const module of modules) {
      counts.failed += module.errors().length
      for (const suite of module.children.allSuites()) counts.failed += brokenSetUps(suite)
      for (const test of module.children.allTests()) counts[test.result().state] += 1
    }
    // A test without a result at the end of the run has not shown anything.
    const failed = counts.failed + counts.pending
    console.log(`${counts.passed} passed, ${failed} failed, ${counts.skipped} skipped`)
  }
}

/** A beforeAll or afterAll that throws fails no test by itself: those of its suite count as skipped. */
const brokenSetUps = (suite: TestSuite): number => suite.errors().length

// Vitest loads a reporter by the default export of its file.
export default CountReporter
