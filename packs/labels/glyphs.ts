/** Texts as outlines of glyphs, so that paper, PDF viewers and browsers show exactly the same. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import * as fontkit from 'fontkit'

const FILES = join(dirname(createRequire(import.meta.url).resolve('@fontsource-variable/inter/package.json')), 'files')
const SUBSETS = ['latin', 'latin-ext', 'greek', 'greek-ext', 'cyrillic', 'cyrillic-ext', 'vietnamese'] as const

const fonts = new Map<string, fontkit.Font>()

/** The part of the font with the subset, which is read when a text first needs it. */
function fontOf(subset: string): fontkit.Font {
  const read = fonts.get(subset)
  if (read) return read
  const font = fontkit.create(readFileSync(join(FILES, `inter-${subset}-wght-normal.woff2`)))
  if (!('layout' in font)) throw new Error(`The font for ${subset} is a collection`)
  fonts.set(subset, font)
  return font
}

interface Glyph {
  /** Outline in units of the em, upwards, as path data. */
  readonly commands: readonly Command[]
  /** In units of the em. */
  readonly advance: number
}

/** A command of a path, with coordinates in turns of x and y. */
type Command = readonly [letter: 'M' | 'L' | 'C' | 'Z', ...numbers: number[]]

const LETTERS = { moveTo: 'M', lineTo: 'L', bezierCurveTo: 'C', closePath: 'Z' } as const

const glyphs = new Map<string, Glyph>()

/** The glyph of a character; a box for one that the font lacks. */
function glyphOf(character: string): Glyph {
  const cached = glyphs.get(character)
  if (cached) return cached
  const code = character.codePointAt(0) ?? 0
  const subset = SUBSETS.find((name) => fontOf(name).hasGlyphForCodePoint(code))
  const font = fontOf(subset ?? 'latin')
  const glyph = subset ? font.glyphForCodePoint(code) : font.getGlyph(0)
  const em = font.unitsPerEm
  const made = {
    advance: glyph.advanceWidth / em,
    commands: commandsOf(glyph.path, em),
  }
  glyphs.set(character, made)
  return made
}

/** The commands of an outline. Curves are cubic, because PDF has no others. */
function commandsOf({ commands }: fontkit.Path, em: number): readonly Command[] {
  let [x, y] = [0, 0]
  return commands.map(({ command, args }): Command => {
    const [cx = 0, cy = 0, endX = 0, endY = 0] = args
    const numbers =
      command === 'quadraticCurveTo'
        ? [
            x + ((cx - x) * 2) / 3,
            y + ((cy - y) * 2) / 3,
            endX + ((cx - endX) * 2) / 3,
            endY + ((cy - endY) * 2) / 3,
            endX,
            endY,
          ]
        : args
    ;[x, y] = [numbers.at(-2) ?? x, numbers.at(-1) ?? y]
    return [command === 'quadraticCurveTo' ? 'C' : LETTERS[command], ...numbers.map((value) => value / em)]
  })
}

/** The heights of lines, in units of the em. */
export const ASCENT = 0.97
export const LINE = 1.21

/** Width of a text in units of the em. */
export const widthOf = (text: string): number =>
  [...text.normalize('NFC')].reduce((width, character) => width + glyphOf(character).advance, 0)

/** Path data of a text whose baseline begins at the point; `size` is the em. */
export function outlineOf(text: string, x: number, y: number, size: number): string {
  let left = x
  const parts: string[] = []
  for (const character of text.normalize('NFC')) {
    const { commands, advance } = glyphOf(character)
    for (const [letter, ...numbers] of commands) {
      const places = numbers.map((value, index) => short(index % 2 === 0 ? left + value * size : y - value * size))
      parts.push(letter + places.join(' '))
    }
    left += advance * size
  }
  return parts.join('')
}

/** To ten micrometres, which is finer than any printer. */
const short = (value: number): string => String(Math.round(value * 100) / 100)
