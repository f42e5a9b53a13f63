import { parseWindow } from '../query/window.ts'
import type { ActionRequest } from './action.ts'

/** Where the configuration sets no bound: a network of IPv6 has more addresses than anybody can list. */
const MOST = 100_000

/** Most entries of a list that has no pages: the request's `limit` within the configuration's bounds. */
export function limitOf({ search, service }: ActionRequest): number {
  const only = new URLSearchParams(
    search.getAll('limit').map((value): [string, string] => ['limit', value]),
  )
  return parseWindow(only, service.settings).limit ?? MOST
}
