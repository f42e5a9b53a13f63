import { expect } from 'vitest'
import type { Api } from '../support/api.ts'

/** What branches share, and what says who may do what. */
const OF_MAIN = /^\/?(api\/)?(users|core\/branches)\//

/** The API as clients use it who work in a new branch: all requests but those about shared data name it. */
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
