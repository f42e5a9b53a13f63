const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

/** Text as it may stand between tags and within quotation marks; control characters are left out. */
export const xmlText = (text: string): string =>
  [...text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? '')]
    // They cannot stand in XML at all.
    .filter((character) => character >= ' ' && character !== '\ufffe' && character !== '\uffff')
    .join('')
