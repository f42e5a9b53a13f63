import { html } from './html.ts'

/** Texts that the configuration shows on pages; an empty one is not shown. */
export interface Banners {
  readonly top: string
  readonly bottom: string
  readonly login: string
}

const PLACES = {
  top: '<!--banner:top-->',
  bottom: '<!--banner:bottom-->',
  login: '<!--banner:login-->',
} as const satisfies Record<keyof Banners, string>

/** Marks the place of a banner in a page. */
export const bannerPlace = (name: keyof Banners): string => PLACES[name]

/**
 * The page with its banners, which may change while the service runs. They are plain text, escaped: markup of an administrator would
 * run with the rights of every user who sees it.
 */
export function fillBanners(page: string, banners: Banners): string {
  let filled = page
  for (const name of ['top', 'bottom', 'login'] as const) {
    // A function, because `$` has a meaning in a replacement text.
    filled = filled.replace(PLACES[name], () => bannerOf(banners[name]))
  }
  return filled
}

const bannerOf = (text: string): string =>
  text === '' ? '' : html`<div class="banner" role="note">${text}</div>`.toString()
