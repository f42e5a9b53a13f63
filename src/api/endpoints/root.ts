import type { Registry } from '../../schema/registry.ts'
import { rootPathOf } from '../../schema/root-path.ts'
import type { Endpoint, Handler } from '../endpoint.ts'
import { jsonResponse } from '../response.ts'

/** Entries of an app's root that are not collections: their paths, by app. */
const BESIDES: Readonly<Record<string, readonly string[]>> = {
  dcim: ['connected-device'],
  core: ['background-queues', 'background-tasks', 'background-workers'],
  plugins: ['installed-plugins'],
  users: ['config'],
}

/** Entries of /api/ that are not apps. */
const TOP_LEVEL = ['plugins', 'status']

/** Endpoint names below each app or plugin (`plugins/acme`), sorted alphabetically. */
export function appEndpoints(registry: Registry): ReadonlyMap<string, readonly string[]> {
  const apps = new Map<string, string[]>(Object.entries(BESIDES).map(([app, names]) => [app, [...names]]))
  const add = (root: string, name: string) => apps.set(root, [...(apps.get(root) ?? []), name])
  for (const { name, path = name, isUnlisted, serves = {} } of registry.plugins) {
    if (!isUnlisted) add('plugins', path)
    const root = `plugins/${path}`
    for (const served of Object.keys(serves)) add(root, served.slice(root.length + 1))
  }
  for (const model of registry.models.values()) {
    if (model.path === '') continue
    const root = rootPathOf(model)
    add(root, model.path.slice(root.length + 1))
  }
  return new Map([...apps].map(([app, names]) => [app, names.sort()]))
}

/** GET /api/: links to the apps. */
export const apiRoot = (registry: Registry): Endpoint => ({
  name: 'API Root',
  description: 'The root of the REST API. Endpoints are arranged by app and model, e.g. /api/dcim/sites/.',
  methods: {
    GET: { handle: links('', rootsOf(registry)) },
  },
})

/** Names in the root of the API, sorted; plugins are below `plugins`. */
const rootsOf = (registry: Registry): readonly string[] =>
  [...new Set([...appEndpoints(registry).keys(), ...TOP_LEVEL])].filter((root) => !root.includes('/')).sort()

/** GET /api/<app>/ or /api/plugins/<name>/: links to the collections of an app or a plugin. */
export const appRoot = (app: string, names: readonly string[]): Endpoint => ({
  name: `${capitalised(app.split('/').at(-1) ?? app)} Root`,
  description: `Endpoints of the app ${app}.`,
  methods: { GET: { handle: links(`${app}/`, names) } },
})

const capitalised = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`

const links =
  (path: string, names: readonly string[]): Handler =>
  async ({ base }) =>
    jsonResponse(200, Object.fromEntries(names.map((name) => [name, `${base}/api/${path}${name}/`])))
