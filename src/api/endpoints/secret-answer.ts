import type { HttpResponse } from '../response.ts'

/** A response with the keys of tokens: it must not be cached, and is not compressed (compression.ts). */
export const secretAnswer = (answer: HttpResponse): HttpResponse => ({
  ...answer,
  headers: { ...answer.headers, 'Cache-Control': 'no-store' },
})
