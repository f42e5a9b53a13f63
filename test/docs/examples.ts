/** A command of a page, and the output that the page shows below it. */
export interface Example {
  readonly command: string
  readonly shown: Shown | undefined
}

/** `json` is compared as a value, `text` line by line. In both, … matches anything. */
interface Shown {
  readonly language: string
  readonly text: string
}

const FENCE = /^```(\w+)\n(.*?)^```\n(?:\s*^```(json|text)\n(.*?)^```\n)?/gms

/** The `sh` blocks of a page in Markdown. Commands that a test cannot run are in blocks of `console`. */
export function examplesOf(page: string): Example[] {
  return [...page.matchAll(FENCE)].flatMap(([, language, command = '', shownAs, shown]) =>
    language === 'sh'
      ? [{ command, shown: shownAs === undefined ? undefined : { language: shownAs, text: shown ?? '' } }]
      : [],
  )
}

export function isAsShown({ language, text }: Shown, output: string): boolean {
  if (language === 'json') return isLike(JSON.parse(text), JSON.parse(output))
  const [shown, printed] = [linesOf(text), linesOf(output)]
  return shown.length === printed.length && shown.every((line, index) => matches(line, printed[index] ?? ''))
}

const linesOf = (text: string): readonly string[] => text.replaceAll('\r', '').trimEnd().split('\n')

/** Whether the value is the one shown. A name or an item "…" matches any number of further names or items. */
function isLike(shown: unknown, value: unknown): boolean {
  if (typeof shown === 'string') return shown === '…' || (typeof value === 'string' && matches(shown, value))
  if (Array.isArray(shown)) {
    const items = shown.filter((item) => item !== '…')
    return (
      Array.isArray(value) &&
      (items.length === value.length || (items.length < shown.length && items.length < value.length)) &&
      items.every((item, index) => isLike(item, value[index]))
    )
  }
  if (typeof shown !== 'object' || shown === null) return shown === value
  if (typeof value !== 'object' || value === null) return false
  const actual = new Map(Object.entries(value))
  const names = Object.entries(shown).filter(([name]) => name !== '…')
  return (
    names.every(([name, part]) => actual.has(name) && isLike(part, actual.get(name))) &&
    ('…' in shown || names.length === actual.size)
  )
}

/** Whether the text matches the pattern, in which each … matches anything. */
function matches(pattern: string, text: string): boolean {
  const [first = '', ...rest] = pattern.split('…')
  if (!text.startsWith(first)) return false
  let at = first.length
  for (const [index, part] of rest.entries()) {
    const isLast = index === rest.length - 1
    const found = isLast && part === '' ? text.length : isLast ? text.length - part.length : text.indexOf(part, at)
    if (found < at || !text.startsWith(part, found)) return false
    at = found + part.length
  }
  return at === text.length
}
