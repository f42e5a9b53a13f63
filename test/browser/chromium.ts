import { describe } from 'vitest'
import { CHROMIUM } from './find-chromium.ts'

/** `describe` for what needs a browser; skipped, and saying so, on a machine that has none. */
export const inBrowser = (name: string, suite: () => void): void => {
  const title = CHROMIUM === undefined ? `${name} (skipped: there is no Chromium)` : name
  describe.skipIf(CHROMIUM === undefined)(title, suite)
}
