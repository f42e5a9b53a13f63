import { parseCookie } from 'cookie'
import { HTML_TYPE, type HttpResponse } from '../../api/response.ts'
import type { Settings } from '../../config/settings.ts'
import { bannerTexts } from './banners.ts'
import { displayTexts } from './theme.ts'

/** The response with the configured banners and the choices of the browser's user, if it is a page. */
export function withFilledMarks(response: HttpResponse, settings: Settings, cookies: string | undefined): HttpResponse {
  if (response.type !== HTML_TYPE || typeof response.body !== 'string') return response
  const { bannerTop, bannerBottom, bannerLogin, bannerMaintenance, maintenanceMode } = settings
  const top = [maintenanceMode ? bannerMaintenance : '', bannerTop].filter((text) => text !== '')
  const banners = { top: top.join('\n'), bottom: bannerBottom, login: bannerLogin }
  const texts = new Map([...displayTexts(parseCookie(cookies ?? '')), ...bannerTexts(banners)])
  return { ...response, body: fillMarks(response.body, texts) }
}

/**
 * The page with texts in place of its marks, each of which occurs at most once. All are filled in one pass: every pass
 * copies the whole page.
 */
export function fillMarks(page: string, texts: ReadonlyMap<string, string>): string {
  const places = [...texts]
    .map(([mark, text]) => ({ mark, text, start: page.indexOf(mark) }))
    .filter(({ start }) => start >= 0)
    .sort((some, other) => some.start - other.start)
  let filled = ''
  let end = 0
  for (const { mark, text, start } of places) {
    filled += page.slice(end, start) + text
    end = start + mark.length
  }
  return filled + page.slice(end)
}
