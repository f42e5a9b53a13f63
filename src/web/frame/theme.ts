import type { PlainText } from '../texts/dictionaries.ts'

/** Colours of the pages: those of the system, or those that the user has chosen. */
export const THEMES = {
  auto: 'As the system',
  light: 'Light',
  dark: 'Dark',
} as const satisfies Readonly<Record<string, PlainText>>

export type Theme = keyof typeof THEMES

/** The theme of this name; `auto` for all other texts. */
export const themeNamed = (name: string | undefined): Theme => (name === 'light' || name === 'dark' ? name : 'auto')

/** Marks the place of the theme in a page: the browser's cookie decides, which pages are built without. */
export const THEME_PLACE = 'data-theme="auto"'

/** The attribute of the theme at its place in a page. */
export const themeText = (theme: Theme): readonly [mark: string, text: string] => [THEME_PLACE, `data-theme="${theme}"`]
