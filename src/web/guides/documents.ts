import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** The directory of the documents, in a checkout and in the package. */
const ROOT = resolve(import.meta.dirname, '../../../docs')

/** Path below the base path of the page that lists all documents; each document has a page below it. */
export const GUIDES = '/docs/'

/** A part of a document, from its heading to the next one. */
export interface Section {
  /** Heading as plain text; that of the first section is the title of the document. */
  readonly heading: string
  readonly anchor: string
  readonly level: number
  /** The text without headings, links and emphasis. */
  readonly text: string
}

/** A document in Markdown. */
export interface Guide {
  /** Path in the directory: `use/pages.md`. */
  readonly path: string
  readonly title: string
  readonly markdown: string
  readonly sections: readonly Section[]
}

/** Paths of all documents, from which the addresses of their pages follow; other files have none. */
export const GUIDE_PATHS: readonly string[] = globSync('**/*.md', { cwd: ROOT })
  .map((path) => path.replaceAll('\\', '/'))
  .sort()

/** Path of a document's page below the base path: `/docs/use/pages/`. */
export const guideAddress = (path: string): string =>
  `${GUIDES}${path.replace(/\.md$/, '/').replace(/(^|\/)README\/$/, '$1')}`

const guides = new Map<string, Guide>()

/** The document, which is read once. */
export function guideAt(path: string): Guide {
  const cached = guides.get(path)
  if (cached) return cached
  const markdown = readFileSync(resolve(ROOT, path), 'utf8')
  const sections = sectionsOf(markdown)
  const guide = { path, title: sections[0]?.heading ?? path, markdown, sections }
  guides.set(path, guide)
  return guide
}

/** The anchor of a heading, as code hosts form it. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
    .trim()
    .replaceAll(' ', '-')

/** Markdown without links, emphasis and marks of code. */
const plainText = (markdown: string): string =>
  markdown
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/\*\*|(?<!\w)\*|\*(?!\w)|`/g, '')
    .replaceAll(/^\|?[ :|-]+\|$/gm, '')

function sectionsOf(markdown: string): readonly Section[] {
  const sections: { heading: string; level: number; lines: string[] }[] = []
  let isCode = false
  for (const line of markdown.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode
    const [, marks, heading] = isCode ? [] : (/^(#{1,4}) (.*)$/.exec(line) ?? [])
    if (marks !== undefined && heading !== undefined) {
      sections.push({ heading: plainText(heading), level: marks.length, lines: [] })
    } else sections.at(-1)?.lines.push(line)
  }
  return sections.map(({ heading, level, lines }) => ({
    ...{ heading, level, anchor: anchorOf(heading), text: plainText(lines.join('\n')).trim() },
  }))
}

/** A section that has all words of a search. */
export interface FoundSection {
  readonly guide: Guide
  readonly section: Section
}

const MOST_FOUND = 30

const occurrences = (text: string, word: string): number => text.toLowerCase().split(word).length - 1

/**
 * The sections in which all words occur, or the most if none has all: first those with the words in a heading, then
 * those that are about most of them.
 */
export function findSections(text: string): readonly FoundSection[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const wordsIn = (place: string): number => words.filter((word) => occurrences(place, word) > 0).length
  const sections = GUIDE_PATHS.map(guideAt).flatMap((guide) =>
    guide.sections.map((section) => ({
      ...{ guide, section, matched: wordsIn(`${guide.title} ${section.heading} ${section.text}`) },
      // In a title, in another heading, in the text.
      rank: wordsIn(section.heading) < words.length ? 2 : section.level === 1 ? 0 : 1,
      named: wordsIn(`${guide.title} ${section.heading}`),
      often: words.reduce((sum, word) => sum + Math.min(occurrences(section.text, word), 5), 0),
      // Records of decisions and the text about the program itself are for its developers.
      isForDevelopers: /^(?:decisions|develop)\//.test(guide.path),
    })),
  )
  const most = Math.max(...sections.map(({ matched }) => matched))
  return sections
    .filter(({ matched }) => matched === most && matched >= words.length / 2)
    .toSorted(
      (left, right) =>
        Number(left.isForDevelopers) - Number(right.isForDevelopers) ||
        left.rank - right.rank ||
        right.named - left.named ||
        right.often - left.often,
    )
    .slice(0, MOST_FOUND)
}
