import { endSession } from '../../auth/session.ts'
import type { Endpoint } from '../endpoint.ts'
import { noCookies, sessionKeyOf } from './cookies.ts'
import { seeOther } from './page-answer.ts'

/** POST /logout/: ends the session of the browser, on the server too. */
export const logout: Endpoint = {
  name: 'Logout',
  description: 'Ends the session of the browser.',
  isOpen: true,
  negotiates: true,
  reading: new Set(['POST']),
  methods: {
    POST: async (request) => {
      const { service, csrfToken } = request
      const key = sessionKeyOf(request)
      // Only where the session told who asks: beside a token its cookie has not been looked at.
      if (csrfToken !== undefined && key !== undefined) await endSession(service, key)
      return seeOther(`${service.settings.basePath}/`, noCookies(request))
    },
  },
}
