import { type Access, ask } from '../client.ts'

/** What a server says of its versions: those parts of its status that are texts. */
export async function versionsOf(access: Access): Promise<Readonly<Record<string, string>>> {
  const status = await ask(access, 'GET', '/api/status/')
  // An object, on every server of this API.
  const entries = Object.entries(status as Readonly<Record<string, unknown>>)
  return Object.fromEntries(
    entries.flatMap(([name, value]) =>
      name.endsWith('-version') && typeof value === 'string' && value !== '' ? [[name, value]] : [],
    ),
  )
}
