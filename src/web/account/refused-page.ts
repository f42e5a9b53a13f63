import { STATUS_CODES } from 'node:http'
import { answerTo } from '../../api/errors.ts'
import type { HttpResponse } from '../../api/response.ts'
import { ApiError } from '../../errors.ts'
import { messagePage } from '../frame/message.ts'
import { personalPage } from './page-answer.ts'

/** An API error as an HTML page; throws other errors again. */
export function refusedPage(basePath: string, error: unknown): HttpResponse {
  const refusal = error instanceof ApiError ? answerTo(error) : undefined
  if (!(error instanceof ApiError) || !refusal) throw error
  const { status, headers } = refusal
  const page = personalPage(
    status,
    messagePage(basePath, STATUS_CODES[status] ?? '', error.message),
  )
  return { ...page, headers: { ...headers, ...page.headers } }
}
