import { expect } from 'vitest'
import type { ApiAnswer } from './api.ts'
import { eventually } from './eventually.ts'

/**
 * Repeats a request that renders a template until the interpreter has started. On a busy machine the first start takes
 * longer than a request may wait; the client then gets 503 and tries again.
 */
export const untilTemplatesRender = (request: () => Promise<ApiAnswer>): Promise<void> =>
  eventually(async () => expect((await request()).status).not.toBe(503))
