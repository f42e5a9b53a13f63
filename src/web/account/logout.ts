import type { Endpoint } from '../../api/endpoint.ts'
import { noCookies, sessionKeyOf } from '../../api/sessions/cookies.ts'
import type { Authentication } from '../../identity/authenticate.ts'
import { endSession } from '../../identity/session.ts'
import { seeOther } from './page-answer.ts'

/** POST /logout/: ends the browser's session, on the server too. */
export const logout = ({ audit }: Authentication): Endpoint => ({
  name: 'Logout',
  description: 'Ends the session of the browser.',
  isOpen: true,
  negotiates: true,
  // A logout does not change the inventory.
  reading: new Set(['POST']),
  methods: {
    POST: async (request) => {
      const { service, actor, csrfToken, address } = request
      const key = sessionKeyOf(request)
      // Only when the session authenticated the request: with a token, its cookie has not been checked.
      if (actor.kind === 'user' && csrfToken !== undefined && key !== undefined) {
        await endSession(service, key)
        audit({ event: 'logout', user: actor.username, address })
      }
      return seeOther(`${service.settings.basePath}/`, noCookies(request))
    },
  },
})
