import type { Settings } from '../../config/settings.ts'
import { type Content, html } from '../html.ts'

/**
 * A text that the configuration shows on pages, if there is one. It is plain and escaped, because an administrator's
 * markup would run with the rights of every user who sees it.
 */
export const banner = (text: string): Content => text !== '' && html`<div class="banner" role="note">${text}</div>`

/** The banner above all pages, which also announces maintenance. */
export function topBanner({ bannerTop, bannerMaintenance, maintenanceMode }: Settings): Content {
  const texts = [maintenanceMode ? bannerMaintenance : '', bannerTop]
  return banner(texts.filter((text) => text !== '').join('\n'))
}
