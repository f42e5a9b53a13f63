import { type Content, html } from '../html.ts'

/** Widths of letters of the pages' font, as parts of its size. */
const LETTERS = { narrow: 0.31, usual: 0.57, capital: 0.67, wide: 0.9, mono: 0.6, ideograph: 1 }
/** Sizes of letters in tables, in rem. */
const SIZES = { text: 0.8125, mono: 0.78125 }
/** Left and right padding of a cell, in rem. */
const PADDING = 1.25
/** What cells show besides text, in rem: the dot of a state, the bar of a share. */
const DRAWINGS = { 'class="badge': 0.9, 'class="swatch': 1.05, 'utilization-cell': 4.5, 'class="far': 0.5 } as const

/** Width at which a cell of a table fits, in rem, slightly overestimated. */
export function textWidth(cell: Content, isMono = false): number {
  const markup = typeof cell === 'string' ? cell : html`${cell}`.markup
  const text = markup.includes('<') ? markup.replaceAll(/<[^>]*>/g, '').trim() : markup
  const letters = text.includes('&') ? text.replaceAll(/&#?\w+;/g, '…') : text
  let width = 0
  for (const letter of letters) width += isMono ? LETTERS.mono : widthOfLetter(letter)
  const drawn = Object.entries(DRAWINGS).reduce((sum, [mark, size]) => (markup.includes(mark) ? sum + size : sum), 0)
  return width * (isMono ? SIZES.mono : SIZES.text) + drawn + PADDING
}

function widthOfLetter(letter: string): number {
  if (/[ijlftrI1.,:;'|!()[\]/ -]/.test(letter)) return LETTERS.narrow
  if (/[mwMW@%…—]/.test(letter)) return LETTERS.wide
  if (/[A-Z]/.test(letter)) return LETTERS.capital
  return letter > '\u2e80' ? LETTERS.ideograph : LETTERS.usual
}
