import type { Settings } from '../../config/settings.ts'
import { fillBanners } from '../../pages/banners.ts'
import { HTML_TYPE, type HttpResponse } from '../response.ts'

/** The answer with the configured banners, if it is a page. */
export function withBanners(answer: HttpResponse, settings: Settings): HttpResponse {
  if (answer.type !== HTML_TYPE || typeof answer.body !== 'string') return answer
  const { bannerTop, bannerBottom, bannerLogin, bannerMaintenance, maintenanceMode } = settings
  const top = [maintenanceMode ? bannerMaintenance : '', bannerTop].filter((text) => text !== '')
  const banners = { top: top.join('\n'), bottom: bannerBottom, login: bannerLogin }
  return { ...answer, body: fillBanners(answer.body, banners) }
}
