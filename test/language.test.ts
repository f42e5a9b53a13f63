import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = dirname(import.meta.dirname)
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

/** Words that this project once used in a sense of its own, and the field's term for each. */
const REFUSED: readonly (readonly [words: RegExp, instead: string])[] = [
  [/\b(?:nobody|somebody|whoever)\b/i, 'the user, the caller, no client'],
  [/(?:^|[.:;?!] )(?:What|Who) (?!is left\b)/, 'a noun: "The rows that …"'],
  [/\b(?:told|said of)\b/i, 'reported, described'],
  [/\bquestions?\b/i, 'query'],
  [
    /\b(?:is|are|be|was|were) put\b|\bputs? (?:a|the|its) (?:statement|query)/i,
    'is sent, executed',
  ],
  [/\bways? there and back\b|\bin one piece\b/i, 'round trip, one message'],
  [/\bremember(?:s|ed|ing)?\b|\bforg(?:et|ets|ot|otten)\b/i, 'cached, invalidated'],
  [/\b(?:footprint|basis)\b/i, 'read set, dependencies'],
  [/\b(?:in|within|out of) sight\b|\bsights?\b/i, 'row-level security, visible rows'],
  [/\btwins?\b|\bstands? in the way\b/i, 'duplicate, unique conflict'],
  [/\bsooner\b|\bdear\b/i, 'faster, expensive'],
  [/\bfigures?\b/i, 'metrics, numbers'],
  [/\btellings?\b|\bhearers?\b/i, 'invalidation message, subscriber'],
  [/\bmended\b|\blet go\b|\blets go of\b|\bbelongs into\b/i, 'fixed, released, belongs in'],
  [/\bmoments?\b/i, 'timestamp, point in time'],
  [/\banew\b|\bby turns\b/i, 'again, alternately'],
]

/** Directories whose comments and test names use none of these words. */
const CLEAN_ROOMS: readonly string[] = ['src', 'test', 'bench', 'conformance', 'examples']

/** The same for documents. */
const CLEAN_DOCUMENTS: readonly string[] = globSync(['*.md', 'docs/**/*.md'], { cwd: root })

/** Passages that need such a word, by file. Each says why. */
const EXCEPTIONS: Readonly<Record<string, readonly string[]>> = {}

/** A comment, the name of a test, or a line of a document. */
interface Passage {
  readonly file: string
  readonly line: number
  readonly text: string
}

/** Code within a sentence: names in it are checked where they are declared. */
const CODE = /`[^`]*`/g
const COMMENT = /^\s*(?:\/\*\*?|\*\/?|\/\/)\s?(.*?)(?:\*\/)?$/
const TRAILING_COMMENT = /^[^'"`]*(?:(['"`])(?:(?!\1).)*\1[^'"`]*)*\s\/\/ (.*)$/
const TEST_NAME = /\b(?:it|test|describe)(?:\.\w+)*\(\s*(['"`])(.*?)\1/

function passagesOf(file: string): Passage[] {
  const isDocument = file.endsWith('.md')
  return read(file)
    .split('\n')
    .flatMap((content, index): Passage[] => {
      const text = isDocument
        ? content
        : (content.match(COMMENT)?.[1] ??
          content.match(TRAILING_COMMENT)?.[2] ??
          content.match(TEST_NAME)?.[2])
      return text === undefined ? [] : [{ file, line: index + 1, text }]
    })
}

/** The passage with the refused words in it, and what to write instead. */
const faultsOf = ({ file, line, text }: Passage): string[] =>
  (EXCEPTIONS[file] ?? []).some((passage) => text.includes(passage))
    ? []
    : REFUSED.flatMap(([words, instead]) => {
        const word = text.replace(CODE, '').match(words)?.[0].trim()
        return word === undefined ? [] : [`${file}:${line} "${word}" → ${instead}: ${text.trim()}`]
      })

const sources = globSync('{src,examples,bench,conformance,test}/**/*.{ts,js,py}', {
  cwd: root,
}).filter((file) => !file.startsWith('test/clients/') && file !== 'test/language.test.ts')

describe('comments, test names and documents', () => {
  it('use the terms of the field', () => {
    const clean = sources.filter((file) => CLEAN_ROOMS.some((room) => file.startsWith(`${room}/`)))
    const faults = [...clean, ...CLEAN_DOCUMENTS].flatMap(passagesOf).flatMap(faultsOf)
    expect(faults).toEqual([])
  })

  it('list no directory or document that does not exist', () => {
    const missing = CLEAN_ROOMS.filter((room) => !sources.some((file) => file.startsWith(room)))
    expect(missing).toEqual([])
    expect(Object.keys(EXCEPTIONS).filter((file) => !sources.includes(file))).toEqual([])
  })
})

/** Exported names that still mean two things. The list may only become shorter. */
const AMBIGUOUS: readonly string[] = [
  // A model, and the field of other models that refers to it.
  'owner',
  'tenant',
]

const EXPORT = /^export (?:async )?(?:const|function\*?|class|interface|type) (\w+)/gm

describe('an exported name', () => {
  it('is declared in one file of src', () => {
    const files = new Map<string, Set<string>>()
    for (const file of sources.filter((name) => name.startsWith('src/'))) {
      for (const [, name = ''] of read(file).matchAll(EXPORT)) {
        files.set(name, (files.get(name) ?? new Set()).add(file))
      }
    }
    const ambiguous = [...files].filter(([, places]) => places.size > 1).map(([name]) => name)
    expect(ambiguous.filter((name) => !AMBIGUOUS.includes(name))).toEqual([])
    expect(AMBIGUOUS.filter((name) => !ambiguous.includes(name))).toEqual([])
  })
})
