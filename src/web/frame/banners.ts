import { html } from '../components/html.ts'

/** Texts that the configuration shows on pages; an empty one is not shown. */
interface Banners {
  readonly top: string
  readonly bottom: string
  readonly login: string
}

const PLACES = {
  top: '<!--banner:top-->',
  bottom: '<!--banner:bottom-->',
  login: '<!--banner:login-->',
} as const satisfies Record<keyof Banners, string>

/** Placeholder for a banner in a page. */
export const bannerPlace = (name: keyof Banners): string => PLACES[name]

/**
 * The markup of the banners by their places in a page; they may change while the service runs. Their texts are plain
 * and escaped, because an administrator's markup would run with the rights of every user who sees it.
 */
export const bannerTexts = (banners: Banners): readonly (readonly [mark: string, text: string])[] =>
  (['top', 'bottom', 'login'] as const).map((name) => [PLACES[name], bannerOf(banners[name])])

const bannerOf = (text: string): string =>
  text === '' ? '' : html`<div class="banner" role="note">${text}</div>`.toString()
