import { type Content, type Html, html } from '../components/html.ts'
import type { Text } from './dictionaries.ts'
import { piecesOf, type ValuesFor } from './placeholders.ts'
import { templateFor } from './translate.ts'

/**
 * The text in the language of the page, with markup in place of its placeholders: links, names in bold.
 * `count` decides on the plural form, where the text has several.
 */
export function translateMarkup<const Template extends Text>(
  text: Template,
  ...[values]: ValuesFor<Template, Content>
): Html {
  const filled: Readonly<Record<string, Content>> = values ?? {}
  return html`${piecesOf(templateFor(text, filled.count)).map((piece) =>
    typeof piece === 'string' ? piece : filled[piece.name],
  )}`
}
