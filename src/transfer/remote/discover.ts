import type { ApiVersion } from '../../base/api-version.ts'
import { isJsonObject, type Json } from '../../schema/json.ts'
import { versionOfRelease } from '../source-version.ts'
import type { Client } from './client.ts'
import { SourceError } from './source-error.ts'

/** Content of an API root. */
export interface Discovery {
  /** Scheme, host and base path of addresses in the responses, which may differ from the requested ones. */
  readonly base: string
  /** The version of the service's API. */
  readonly version: ApiVersion
  /** Addresses of its plugins, below /api/plugins/. */
  readonly plugins: readonly string[]
  /** Names below the apps and plugins, collections or not: `dcim/sites`, … */
  readonly endpoints: ReadonlySet<string>
}

/** Reads the API root. Throws SourceError if there is no such API, or if it refuses the token. */
export async function discover(client: Client, address: string): Promise<Discovery> {
  const root = linksOf(await client.json('/api/', { tries: 2 }))
  const base = /^(.+)\/api\/dcim\/$/.exec(root.get('dcim') ?? '')?.[1]
  if (base === undefined) {
    throw new SourceError(`${address}/api/ is not the root of an API that this service supports.`)
  }
  // The root may be readable without a token; this path is not.
  const status = await client.json('/api/status/')
  if (!isJsonObject(status)) {
    throw new SourceError(`${address} returns no status: it has another API.`)
  }
  const apps = [...root].flatMap(([app, url]) => (url === `${base}/api/${app}/` && app !== 'status' ? [app] : []))
  const endpoints = await Promise.all(
    apps.map(async (app) =>
      [...linksOf(await client.json(`/api/${app}/`))].flatMap(([name, url]) =>
        url === `${base}/api/${app}/${name}/` ? [`${app}/${name}`] : [],
      ),
    ),
  )
  const plugins = endpoints.flat().flatMap((path) => (/^plugins\/(?!installed-plugins$)/.test(path) ? [path] : []))
  const below = await Promise.all(
    plugins.map(async (path) =>
      [...linksOf(await client.json(`/api/${path}/`))].flatMap(([name, url]) =>
        url === `${base}/api/${path}/${name}/` ? [`${path}/${name}`] : [],
      ),
    ),
  )
  const ends = new Set(plugins.filter((_path, index) => (below[index] ?? []).length > 0))
  return {
    ...{ base, version: versionOfRelease(status['netbox-version']) },
    plugins: plugins.map((path) => path.slice('plugins/'.length)),
    endpoints: new Set([...endpoints.flat().filter((path) => !ends.has(path)), ...below.flat()]),
  }
}

const linksOf = (document: Json | undefined): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(isJsonObject(document) ? document : {}).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  )
