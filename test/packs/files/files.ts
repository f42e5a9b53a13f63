import { expect } from 'vitest'
import { type Api, type ApiAnswer, startApi } from '../../support/api.ts'
import type { TestSettings } from '../../support/settings.ts'

const ATTACHMENTS = '/api/plugins/netbox-attachments/netbox-attachments/'

/** An API with the packs of files, and what its tests ask for. */
export async function startFiles(settings: TestSettings = {}) {
  const api = await startApi({ PACKS: 'attachments,documents', ...settings })
  const path = (answer: ApiAnswer, field = 'file') => String(answer.json[field]).replace(api.url, '')
  const form = (
    content: string | Uint8Array<ArrayBuffer>,
    name: string,
    more: Readonly<Record<string, string>> = {},
    field = 'file',
  ) => {
    const body = new FormData()
    body.set(field, new Blob([content]), name)
    for (const [key, value] of Object.entries(more)) body.set(key, value)
    return body
  }
  return {
    api,
    path,
    form,
    /** Uploads a file; the answer is its attachment. */
    upload: async (
      content: string | Uint8Array<ArrayBuffer>,
      name: string,
      more: Readonly<Record<string, string>> = {},
    ) => {
      const answer = await api.ask('POST', ATTACHMENTS, { body: form(content, name, more) })
      expect(answer.status, answer.text).toBe(201)
      return answer
    },
    attachments: (method: string, below = '', options: Parameters<Api['ask']>[2] = {}) =>
      api.ask(method, `${ATTACHMENTS}${below}`, options),
    assign: (attachment: unknown, type: string, id: number, options: Parameters<Api['ask']>[2] = {}) =>
      api.ask('POST', '/api/plugins/netbox-attachments/netbox-attachment-assignments/', {
        body: { attachment, object_type: type, object_id: id },
        ...options,
      }),
    documents: (method: string, body: unknown, below = '') =>
      api.ask(method, `/api/plugins/documents/documents/${below}`, { body }),
  }
}

export type Files = Awaited<ReturnType<typeof startFiles>>

/** The key of a token of a new user who has these permissions. */
export async function userWith(api: Api, username: string, permissions: readonly object[]): Promise<string> {
  const user = await api.make('users/users', { username, password: 'Corr3ct-Horse-Battery' })
  for (const permission of permissions) {
    await api.make('users/permissions', { name: username, users: [user], ...permission })
  }
  return String((await api.ask('POST', '/api/users/tokens/', { body: { user, version: 1 } })).json.key)
}
