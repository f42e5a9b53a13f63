import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const pages = globSync(['*.md', 'docs/**/*.md', 'conformance/*.md', 'test/{pages,browser}/**/*.md'], { cwd: root })
const textOf = (page: string): string => readFileSync(join(root, page), 'utf8')

/** The anchor of a heading, as code hosts form it. */
const anchorOf = (heading: string): string =>
  heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
    .trim()
    .replaceAll(' ', '-')

const anchors = new Map(
  pages.map((page) => [
    page,
    new Set([...textOf(page).matchAll(/^#+ (.*)$/gm)].map(([, text = '']) => anchorOf(text))),
  ]),
)

describe('the documents', () => {
  it('link to pages, headings and files that exist', () => {
    const broken = pages.flatMap((page) => {
      const text = textOf(page).replaceAll(/```.*?```/gs, '')
      return [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) => {
        if (/^(?:https?|mailto):/.test(link)) return []
        const [path = '', anchor] = link.split('#')
        const target = path === '' ? page : normalize(join(dirname(page), path))
        const isThere = existsSync(join(root, target))
        const hasAnchor = anchor === undefined || anchors.get(target)?.has(anchor) !== false
        return isThere && hasAnchor ? [] : [`${page}: ${link}`]
      })
    })
    expect(broken).toEqual([])
  })

  it('list every decision by its title', () => {
    const listed = textOf('docs/decisions/README.md').match(/^- \d.*$/gm)
    const expected = globSync('0*.md', { cwd: join(root, 'docs/decisions') })
      .sort()
      .map((file) => {
        const [, title] = /^# (.*)$/m.exec(textOf(`docs/decisions/${file}`)) ?? []
        return `- ${Number.parseInt(file, 10)}: [${title}](${file})`
      })
    expect(listed).toEqual(expected)
  })

  it('name the repository of package.json', () => {
    const { repository } = JSON.parse(textOf('package.json')) as { readonly repository: { readonly url: string } }
    const address = repository.url.replace(/^git\+|\.git$/g, '')
    const others = pages.flatMap((page) =>
      [...textOf(page).matchAll(/https:\/\/code\.[^\s)"']+|git clone (\S+)/g)].flatMap(([text, cloned]) =>
        (cloned ?? text).replace(/\.git$/, '') === address ? [] : [`${page}: ${text}`],
      ),
    )
    expect(others).toEqual([])
  })

  it('name tests that exist', () => {
    const missing = pages.flatMap((page) =>
      [...textOf(page).matchAll(/`(test\/[\w/-]+\.test\.ts)`/g)].flatMap(([, file = '']) =>
        existsSync(join(root, file)) ? [] : [`${page}: ${file}`],
      ),
    )
    expect(missing).toEqual([])
  })
})
