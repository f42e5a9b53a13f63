import { isJsonObject, type Json } from '../../schema/json.ts'
import type { Client } from './client.ts'
import { SourceError } from './source-error.ts'

/** What the root of an API tells. */
export interface Discovery {
  /** Scheme, host and base path in front of the addresses in answers, which may be other than ours. */
  readonly base: string
  /** `dcim/sites`, …: whatever stands below an app, collection or not. */
  readonly endpoints: ReadonlySet<string>
}

/** Throws SourceError where no API of this kind answers, or refuses the token. */
export async function discover(client: Client, address: string): Promise<Discovery> {
  const root = linksOf(await client.json('/api/', { tries: 2 }))
  const base = /^(.+)\/api\/dcim\/$/.exec(root.get('dcim') ?? '')?.[1]
  if (base === undefined) {
    throw new SourceError(`${address}/api/ is no root of an API that this service speaks.`)
  }
  // The root may be open to everybody; this is not.
  if ((await client.json('/api/status/')) === undefined) {
    throw new SourceError(`${address} tells no status: it speaks another API.`)
  }
  const apps = [...root].flatMap(([app, url]) =>
    url === `${base}/api/${app}/` && app !== 'status' ? [app] : [],
  )
  const found = await Promise.all(
    apps.map(async (app) =>
      [...linksOf(await client.json(`/api/${app}/`))].flatMap(([name, url]) =>
        url === `${base}/api/${app}/${name}/` ? [`${app}/${name}`] : [],
      ),
    ),
  )
  return { base, endpoints: new Set(found.flat()) }
}

const linksOf = (document: Json | undefined): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(isJsonObject(document) ? document : {}).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  )
