import { expect } from 'vitest'
import type { Api } from './api.ts'

/** Ids of the objects that one POST with an object or a list creates; fails where it is refused. */
export async function createdIds(
  api: Api,
  path: string,
  body: unknown,
): Promise<readonly number[]> {
  const { json, status, text } = await api.ask('POST', `/api/${path}/`, { body })
  expect(status, text).toBe(201)
  return [json].flat().map(({ id }) => Number(id))
}

/** As `createdIds`, of a single object. */
export async function createdId(api: Api, path: string, body: unknown): Promise<number> {
  const [id = 0] = await createdIds(api, path, body)
  return id
}

/** The page at the address as a browser receives it; fails where there is none. `token`: of another user than the superuser. */
export async function readPage(api: Api, path: string, token?: string): Promise<string> {
  const { status, text } = await api.ask('GET', path, {
    headers: { accept: 'text/html' },
    ...(token !== undefined && { token }),
  })
  expect(status, text).toBe(200)
  return text
}
