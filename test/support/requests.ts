import { setTimeout } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Api, Document } from './api.ts'

/** Ids of the objects that one POST with an object or a list creates; fails if it is refused. */
export async function createdIds(api: Api, path: string, body: unknown): Promise<readonly number[]> {
  const { json, status, text } = await api.ask('POST', `/api/${path}/`, { body })
  expect(status, text).toBe(201)
  return [json].flat().map(({ id }) => Number(id))
}

/** As `createdIds`, of a single object. */
export async function createdId(api: Api, path: string, body: unknown): Promise<number> {
  const [id = 0] = await createdIds(api, path, body)
  return id
}

/** The object that one POST creates, as in the response; fails if it is refused. */
export async function created(api: Api, path: string, body: unknown): Promise<Document> {
  const { json, status, text } = await api.ask('POST', `/api/${path}/`, { body })
  expect(status, text).toBe(201)
  return json
}

/** The latest change record of an object, of a type such as `dcim.site`. */
export async function lastChange(api: Api, type: string, id: unknown): Promise<Document> {
  const query = `changed_object_type=${type}&changed_object_id=${id}&limit=1`
  const { json } = await api.ask('GET', `/api/core/object-changes/?${query}`)
  return json.results?.[0] as Document // if it is absent, using it fails
}

/**
 * The page at the address as a browser receives it; fails if there is none. `token`: of another user than the
 * superuser.
 */
export async function readPage(api: Api, path: string, token?: string): Promise<string> {
  const { status, text } = await api.ask('GET', path, {
    headers: { accept: 'text/html' },
    ...(token !== undefined && { token }),
  })
  expect(status, text).toBe(200)
  return text
}

/** A time after all changes so far, as a parameter `as_of`, in which it is rounded down to milliseconds. */
export async function timeAfterChanges(): Promise<string> {
  await setTimeout(2)
  return new Date().toISOString()
}
