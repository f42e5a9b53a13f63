import type { Registry } from '../../schema/registry.ts'
import type { Endpoint, Handler } from '../endpoint.ts'
import { jsonResponse } from '../response.ts'

/** Names in a root that are no collections: below which app, and where. */
const BESIDES: Readonly<Record<string, readonly string[]>> = {
  dcim: ['connected-device'],
  core: ['background-queues', 'background-tasks', 'background-workers'],
  plugins: ['installed-plugins'],
  users: ['config'],
}

/** Entries of /api/ that are no apps. */
const TOP_LEVEL = ['plugins', 'status']

/** Everything below an app: endpoint names, in the order of the alphabet. */
export function appEndpoints(registry: Registry): ReadonlyMap<string, readonly string[]> {
  const apps = new Map<string, string[]>(
    Object.entries(BESIDES).map(([app, names]) => [app, [...names]]),
  )
  for (const { path } of registry.models.values()) {
    if (path === '') continue
    const [app = '', ...rest] = path.split('/')
    apps.set(app, [...(apps.get(app) ?? []), rest.join('/')])
  }
  return new Map([...apps].map(([app, names]) => [app, names.sort()]))
}

/** GET /api/: the apps and where they are. */
export const apiRoot = (registry: Registry): Endpoint => ({
  name: 'API Root',
  description:
    'The root of the REST API. Endpoints are arranged by app and model, e.g. /api/dcim/sites/.',
  isRemembered: true,
  methods: {
    GET: links('', [...new Set([...appEndpoints(registry).keys(), ...TOP_LEVEL])].sort()),
  },
})

/** GET /api/<app>/: the collections of an app. */
export const appRoot = (app: string, names: readonly string[]): Endpoint => ({
  name: `${app.charAt(0).toUpperCase()}${app.slice(1)} Root`,
  description: `Endpoints of the app ${app}.`,
  isRemembered: true,
  methods: { GET: links(`${app}/`, names) },
})

const links =
  (path: string, names: readonly string[]): Handler =>
  async ({ base }) =>
    jsonResponse(
      200,
      Object.fromEntries(names.map((name) => [name, `${base}/api/${path}${name}/`])),
    )
