import { requireUser } from '../../identity/require-user.ts'
import { projectionOf } from '../../read/serialise/projection.ts'
import { committedData } from '../../read/serialise/read-source.ts'
import type { Registry } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Endpoint } from '../endpoint.ts'
import { okResponse } from '../response.ts'
import { noSuchObject } from '../verbs/object-id.ts'
import { readObject } from '../verbs/read-object.ts'

/** GET /api/authentication-check/: the authenticated user, regardless of permissions. */
export const authenticationCheck = (registry: Registry): Endpoint => ({
  name: 'Authentication Check',
  description: 'The user whose credentials the request contains.',
  methods: {
    GET: {
      handle: async (request) => {
        const { id } = requireUser(request)
        const { service, base } = request
        const model = registry.model(SYSTEM.user)
        const projection = projectionOf(service, model, { brief: false, excludeContext: false })
        const user = await readObject(committedData(service), projection, { id, base })
        if (!user) throw noSuchObject(model)
        return okResponse(user.json)
      },
    },
  },
})
