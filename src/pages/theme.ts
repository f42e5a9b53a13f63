import type { PlainText } from '../texts/catalogue.ts'

/** Colours of the pages: those of the system, or those that the user has chosen. */
export const THEMES = {
  auto: 'As the system',
  light: 'Light',
  dark: 'Dark',
} as const satisfies Readonly<Record<string, PlainText>>

export type Theme = keyof typeof THEMES

/** The theme of this name; `auto` for all other texts. */
export const themeNamed = (name: string | undefined): Theme =>
  name === 'light' || name === 'dark' ? name : 'auto'

/** Marks the place of the theme in a page: the browser's cookie decides, which pages are built without. */
export const THEME_PLACE = 'data-theme="auto"'

/** The page in this theme. */
export const fillTheme = (page: string, theme: Theme): string =>
  theme === 'auto' ? page : page.replace(THEME_PLACE, `data-theme="${theme}"`)
