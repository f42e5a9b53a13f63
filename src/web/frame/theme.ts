import type { Text } from '../texts/translate.ts'

/** Colours of the pages: those of the system, or those that the user has chosen. */
const THEMES = { auto: 'System', light: 'Light', dark: 'Dark' } as const satisfies Readonly<Record<string, Text>>

/** Height of the rows of lists. */
const DENSITIES = { compact: 'Compact', comfortable: 'Comfortable' } as const satisfies Readonly<Record<string, Text>>

/**
 * The appearance of the pages in a browser, by the name of the cookie that stores it. The first choice is the default.
 */
export const DISPLAY = { theme: THEMES, density: DENSITIES } as const

/**
 * Cookie of the menu: `narrow` or `wide`, and the open subjects, separated by dots. It is written by the menu's script.
 */
const MENU_COOKIE = 'menu'

/** Placeholder for these choices in a page, which is built without them. */
export const DISPLAY_PLACE = 'data-theme="auto" data-density="compact" data-menu="wide"'

/** The mark for a closed subject of the menu. */
const subjectMark = (name: string): string => `data-subject="${name}">`

/** The choices in a browser's cookies, as texts for their marks in a page. */
export function displayTexts(
  cookies: Readonly<Record<string, string | undefined>>,
): readonly (readonly [mark: string, text: string])[] {
  const chosen = (name: keyof typeof DISPLAY): string => displayChoice(name, cookies[name])
  const [menu, ...open] = (cookies[MENU_COOKIE] ?? '').split('.')
  return [
    [
      DISPLAY_PLACE,
      `data-theme="${chosen('theme')}" data-density="${chosen('density')}" data-menu="${menu === 'narrow' ? menu : 'wide'}"`,
    ],
    ...open
      .filter((name) => /^[a-z0-9-]+$/.test(name))
      .map((name) => [subjectMark(name), `data-subject="${name}" open>`] as const),
  ]
}

/** The choice of this name; the default for all other texts. */
export function displayChoice(name: keyof typeof DISPLAY, text: string | undefined): string {
  const choices = Object.keys(DISPLAY[name])
  return choices.find((choice) => choice === text) ?? choices[0] ?? ''
}
