import { startSession } from '../../auth/session.ts'
import type { ApiRequest } from '../api-request.ts'
import type { HttpResponse } from '../response.ts'
import { sessionCookies, sessionKeyOf } from './cookies.ts'
import { localPath } from './local-path.ts'
import { seeOther } from './page-answer.ts'

/** Starts the session of an authenticated user and redirects to `next`, which is not trusted. */
export async function completeLogin(
  request: ApiRequest,
  userId: number,
  next: string | undefined,
): Promise<HttpResponse> {
  const { service, url } = request
  const key = await startSession(service, userId, sessionKeyOf(request))
  const path = localPath(next, url, service.settings.basePath)
  return seeOther(path, sessionCookies(request, key))
}
