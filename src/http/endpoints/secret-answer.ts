import type { HttpResponse } from '../response.ts'

/** An answer that shows the keys of tokens: nobody may keep it on the way, nor is it compressed (compression.ts). */
export const secretAnswer = (answer: HttpResponse): HttpResponse => ({
  ...answer,
  headers: { ...answer.headers, 'Cache-Control': 'no-store' },
})
