import { parseCookie } from 'cookie'
import type { Text } from '../texts/translate.ts'

/** Colours of the pages: those of the system, or those that the user has chosen. */
const THEMES = { auto: 'System', light: 'Light', dark: 'Dark' } as const satisfies Readonly<Record<string, Text>>

/** Height of the rows of lists. */
const DENSITIES = { compact: 'Compact', comfortable: 'Comfortable' } as const satisfies Readonly<Record<string, Text>>

/**
 * The appearance of the pages in a browser, by the name of the cookie that stores it. The first choice is the default.
 */
export const DISPLAY = { theme: THEMES, density: DENSITIES } as const

/** Cookie of the menu: `narrow` or `wide`. It is written by the menu's script. */
const MENU_COOKIE = 'menu'

/** The appearance that the user of a browser has chosen. */
export interface DisplayChoices {
  readonly theme: string
  readonly density: string
  readonly menu: 'wide' | 'narrow'
}

/** The choices in a `Cookie` header. */
export function displayChoices(header: string | undefined): DisplayChoices {
  const cookies = parseCookie(header ?? '')
  return {
    theme: displayChoice('theme', cookies.theme),
    density: displayChoice('density', cookies.density),
    menu: cookies[MENU_COOKIE] === 'narrow' ? 'narrow' : 'wide',
  }
}

/** The choice of this name; the default for all other texts. */
export function displayChoice(name: keyof typeof DISPLAY, text: string | undefined): string {
  const choices = Object.keys(DISPLAY[name])
  return choices.find((choice) => choice === text) ?? choices[0] ?? ''
}
