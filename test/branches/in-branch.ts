import { expect } from 'vitest'
import type { Api } from '../support/api.ts'

/** What branches share, and what determines the permissions of users. */
const OF_MAIN = /^\/?(api\/)?(users|core\/branches)\//

/**
 * The API as used by clients that work in a new branch: all requests name the branch, except those about shared data.
 */
export async function inNewBranch(api: Api): Promise<Api> {
  const { json } = await api.ask('POST', '/api/core/branches/', { body: { name: 'Everything' } })
  const header = { 'X-NetBox-Branch': String(json.schema_id) }
  const ask: Api['ask'] = (method, path, options = {}) =>
    api.ask(method, path, OF_MAIN.test(path) ? options : { ...options, headers: { ...options.headers, ...header } })
  return {
    ...api,
    ask,
    async make(path, body) {
      const { status, text, json } = await ask('POST', `/api/${path}/`, { body })
      expect(status, text).toBe(201)
      return Number(json.id)
    },
  }
}
