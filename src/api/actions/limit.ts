import { parseWindow } from '../../read/query/window.ts'
import type { ApiRequest } from '../api-request.ts'

/** Limit without a configured bound: an IPv6 network has more addresses than a response can list. */
const MOST = 100_000

/** Maximum entries of a list without pages: the request's `limit` within the configured bounds. */
export function limitOf({ search, service }: ApiRequest): number {
  const only = new URLSearchParams(search.getAll('limit').map((value): [string, string] => ['limit', value]))
  return parseWindow(only, service.settings).limit ?? MOST
}
