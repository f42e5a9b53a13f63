import type { ApiRequest } from '../../api/api-request.ts'
import { localPath } from '../../api/sessions/local-path.ts'

/** Name of the parameter, and the hidden field, with the path to return to. */
export const RETURN = 'return_url'

/** A path of this service to return to after saving; undefined if it is not one. */
export function returnPath(request: ApiRequest, address: string | undefined): string | undefined {
  if (!address) return undefined
  const { basePath } = request.service.settings
  const path = localPath(address, request.url, basePath)
  return path === `${basePath}/` ? undefined : path
}

/** The path with these parameters in its query. */
export function withParameters(
  { url }: ApiRequest,
  path: string,
  parameters: Readonly<Record<string, string>>,
): string {
  const target = new URL(path, url.origin)
  for (const [name, value] of Object.entries(parameters)) target.searchParams.set(name, value)
  return `${target.pathname}${target.search}${target.hash}`
}
