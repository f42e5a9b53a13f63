import { describe } from 'vitest'
import { CHROMIUM } from './find-chromium.ts'

/** `describe` for tests that need a browser; on a machine without one they are skipped with a message. */
export const inBrowser = (name: string, suite: () => void): void => {
  const title = CHROMIUM === undefined ? `${name} (skipped: there is no Chromium)` : name
  describe.skipIf(CHROMIUM === undefined)(title, suite)
}
