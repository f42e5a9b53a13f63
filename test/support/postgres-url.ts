import { inject } from 'vitest'

let url: Promise<string> | undefined

/** URL of the PostgreSQL server that all tests of the run share; started by the first call. */
export function postgresUrl(): Promise<string> {
  url ??= request()
  return url
}

async function request(): Promise<string> {
  const response = await fetch(inject('postgresStarter'))
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return text
}

/** URL of the database of that name on that server. */
export async function urlOfDatabase(name: string): Promise<string> {
  const url = new URL(await postgresUrl())
  url.pathname = `/${name}`
  return url.href
}
