import type { Registry } from '../../schema/registry.ts'
import type { Endpoint } from '../endpoint.ts'
import { jsonResponse } from '../response.ts'

/** The plugins that clients can ask for. */
export const listedPlugins = (plugins: Registry['plugins']): Registry['plugins'] =>
  plugins.filter(({ isUnlisted }) => !isUnlisted)

/** GET /api/plugins/installed-plugins/: the plugins in the order in which they were loaded. */
export const installedPlugins = ({ plugins }: Registry): Endpoint => ({
  name: 'Installed Plugins',
  description: 'Plugins of the service.',
  methods: {
    GET: {
      handle: async () =>
        jsonResponse(
          200,
          listedPlugins(plugins).map(({ name, packageName, label, version, description, author, authorEmail }) => ({
            name: label,
            package: packageName ?? name,
            author,
            author_email: authorEmail,
            description,
            version,
          })),
        ),
    },
  },
})
