import type { Endpoint } from '../endpoint.ts'
import { jsonResponse } from '../response.ts'

/** GET /api/plugins/installed-plugins/: none, since there are no plugins; some clients ask nevertheless. */
export const installedPlugins: Endpoint = {
  name: 'Installed Plugins',
  description: 'Plugins of the service.',
  methods: { GET: async () => jsonResponse(200, []) },
}
