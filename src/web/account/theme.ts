import type { Endpoint } from '../../api/endpoint.ts'
import { setCookie } from '../../api/sessions/cookies.ts'
import { localPath } from '../../api/sessions/local-path.ts'
import { THEME_COOKIE } from '../frame/page-parts.ts'
import { themeNamed } from '../frame/theme.ts'
import { seeOther } from './page-answer.ts'

/** Seconds for which a browser keeps the theme: a year. */
const KEPT_FOR = 31_536_000

/** POST /user/theme/: keeps the theme in the browser and leads back. */
export const chooseTheme: Endpoint = {
  name: 'Theme',
  description: 'Chooses the colours of the pages for this browser.',
  isOpen: true,
  negotiates: true,
  reading: new Set(['POST']),
  methods: {
    POST: async (request) => {
      const form = await request.body.form()
      const textOf = (name: string): string => String(form?.get(name)?.at(-1) ?? '')
      const { url, service } = request
      const cookie = setCookie(request, THEME_COOKIE, themeNamed(textOf('theme')), {
        maxAge: KEPT_FOR,
      })
      return seeOther(localPath(textOf('next'), url, service.settings.basePath), [cookie])
    },
  },
}
