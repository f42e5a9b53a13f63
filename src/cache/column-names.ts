import { LRUCache } from 'lru-cache'

/** Texts of statements whose names are kept; most statements differ in their values alone. */
const MOST_TEXTS = 2_000
/** Statements of this length are built for one batch of values; their text will hardly come twice. */
const LONGEST = 20_000

interface Names {
  readonly columns: ReadonlySet<string> | undefined
}

const byText = new LRUCache<string, Names>({ max: MOST_TEXTS })

/**
 * Every word of a statement, and with that the name of every column whose values its result can depend on; undefined where it
 * takes columns that it does not name: `select *`. (Statements of this program use no views, no functions of their own,
 * no natural joins and no rows as values; values are not part of the text.)
 */
export function columnNames(text: string): ReadonlySet<string> | undefined {
  const cached = byText.get(text)
  if (cached) return cached.columns
  const columns = takesAllColumns(text) ? undefined : new Set(text.split(/\W+/))
  if (text.length <= LONGEST) byText.set(text, { columns })
  return columns
}

/** `count(*)` counts rows and looks at no column. Any other star counts, a multiplication too. */
const takesAllColumns = (text: string): boolean => text.replaceAll('count(*)', '').includes('*')
