import type { Authentication } from '../../auth/authenticate.ts'
import { endSession } from '../../auth/session.ts'
import type { Endpoint } from '../endpoint.ts'
import { noCookies, sessionKeyOf } from './cookies.ts'
import { seeOther } from './page-answer.ts'

/** POST /logout/: ends the session of the browser, on the server too. */
export const logout = ({ audit }: Authentication): Endpoint => ({
  name: 'Logout',
  description: 'Ends the session of the browser.',
  isOpen: true,
  negotiates: true,
  // Nothing of the inventory changes.
  reading: new Set(['POST']),
  methods: {
    POST: async (request) => {
      const { service, actor, csrfToken, address } = request
      const key = sessionKeyOf(request)
      // Only where the session told who asks: beside a token its cookie has not been looked at.
      if (actor.kind === 'user' && csrfToken !== undefined && key !== undefined) {
        await endSession(service, key)
        audit({ event: 'logout', user: actor.username, address })
      }
      return seeOther(`${service.settings.basePath}/`, noCookies(request))
    },
  },
})
