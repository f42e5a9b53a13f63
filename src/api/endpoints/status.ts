import { hostname } from 'node:os'
import { RELEASES } from '../../base/api-version.ts'
import { PROGRAM_VERSION } from '../../config/program-version.ts'
import type { Endpoint } from '../endpoint.ts'
import { jsonResponse } from '../response.ts'
import { listedPlugins } from './plugins.ts'

/** GET /api/status/: versions of the service. Clients look for `netbox-version`. */
export const status: Endpoint = {
  name: 'Status',
  description: 'Versions of the service and of what it runs on.',
  methods: {
    GET: {
      handle: async ({ service }) =>
        jsonResponse(200, {
          hostname: hostname(),
          installed_apps: { cadastre: PROGRAM_VERSION, node: process.versions.node },
          'netbox-version': RELEASES[service.registry.version],
          'netbox-full-version': RELEASES[service.registry.version],
          plugins: Object.fromEntries(
            listedPlugins(service.registry.plugins).map(({ name, packageName, version }) => [
              packageName ?? name,
              version,
            ]),
          ),
          // Keys that some clients require, whatever the values.
          'django-version': '',
          'python-version': '',
          'rq-workers-running': 0,
        }),
    },
  },
}
