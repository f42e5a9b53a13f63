const texts: Readonly<Record<string, string>> = JSON.parse(document.body.dataset.texts ?? '{}')

/** The text in the language of the page, with the values in place of the names in braces. The page carries the texts unless it is English. */
export const translated = (text: string, values: Readonly<Record<string, string | number>> = {}): string =>
  (texts[text] || text).replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))
