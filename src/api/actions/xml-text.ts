const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

/** The text escaped for XML content and attributes, without control characters. */
export const xmlText = (text: string): string =>
  [...text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? '')]
    // XML allows none of them, not even escaped.
    .filter((character) => character >= ' ' && character !== '\ufffe' && character !== '\uffff')
    .join('')
