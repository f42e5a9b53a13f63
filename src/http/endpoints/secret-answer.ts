import type { Answer } from '../answer.ts'

/** An answer that shows the keys of tokens: nobody may keep it on the way, nor is it compressed (compression.ts). */
export const secretAnswer = (answer: Answer): Answer => ({
  ...answer,
  headers: { ...answer.headers, 'Cache-Control': 'no-store' },
})
