import { posix } from 'node:path'
import type { ApiRequest } from '../../api/api-request.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
import { lastValue } from '../../read/query/last-value.ts'
import { pluralTitleOf } from '../../schema/class-name.ts'
import { oncePer } from '../../schema/once-per.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { firstCharacters } from '../../schema/shortened.ts'
import type { PageRow } from '../frame/page-endpoint.ts'
import type { PageResponse } from '../frame/page-frame.ts'
import { staticUrl } from '../frame/static-files.ts'
import { type Content, type Html, html } from '../html.ts'
import { translate } from '../texts/translate.ts'
import { documentMarkup } from './document-markup.ts'
import { type FoundSection, findSections, GUIDE_PATHS, GUIDES, type Guide, guideAddress, guideAt } from './documents.ts'

const OVERVIEW = 'README.md'
/** Longest text of a search. */
const LONGEST = 200

/** A page for each document; that of the overview also searches all of them. */
export const guidePages: readonly PageRow[] = GUIDE_PATHS.map(
  (path): PageRow => [
    guideAddress(path),
    'GET',
    path === OVERVIEW ? overviewPage : async (request) => guidePage(request, guideAt(path)),
    { isShared: true },
  ],
)

/** GET /docs/: all documents by what people want to do; `?q=` finds sections by words. */
async function overviewPage(request: ApiRequest): Promise<PageResponse> {
  const text = firstCharacters((lastValue(request.search, 'q') ?? '').trim(), LONGEST)
  const title = translate('Guides')
  return {
    title,
    styles: ['objects.css', 'guides.css'],
    breadcrumbs: [{ label: title, path: GUIDES }],
    body: html`<div class="heading"><h1>${title}</h1>${searchForm(request, text)}</div>
${text === '' ? article(request, guideAt(OVERVIEW)) : results(request, text)}`,
  }
}

function guidePage(request: ApiRequest, guide: Guide): PageResponse {
  const { title, path } = guide
  return {
    title,
    styles: ['objects.css', 'guides.css'],
    breadcrumbs: [
      { label: translate('Guides'), path: GUIDES },
      { label: title, path: guideAddress(path) },
    ],
    body: html`<div class="heading"><h1 lang="en">${title}</h1>${searchForm(request, '')}</div>
<div class="guide">${article(request, guide)}${contents(guide)}</div>`,
  }
}

const searchForm = ({ service }: ApiRequest, text: string): Html =>
  html`<form class="guide-search" role="search" action="${service.settings.basePath}${GUIDES}"><input type="search" name="q" value="${text}" maxlength="${LONGEST}" aria-label="${translate('Search the guides')}" placeholder="${translate('Search the guides')}"><button class="quiet">${translate('Search')}</button></form>`

/** The sections of a long document. */
function contents({ sections }: Guide): Content {
  const listed = sections.filter(({ level }) => level === 2)
  return (
    listed.length > 2 &&
    html`<nav class="guide-contents" aria-label="${translate('On this page')}" lang="en"><ul>${listed.map(({ anchor, heading }) => html`<li><a href="#${anchor}">${heading}</a></li>`)}</ul></nav>`
  )
}

/** The text of a document without its title, which the page has. */
const article = (request: ApiRequest, guide: Guide): Html =>
  html`<article class="card prose" lang="en">${guideMarkup(request, guide)}</article>`

/** The text of a document without its title, with links to other documents, and to lists that the sender may view. */
export function guideMarkup({ actor, service: { settings, registry } }: ApiRequest, guide: Guide): Html {
  const { basePath } = settings
  // The first paragraph of the overview is for readers of the repository.
  const body = guide.markdown.replace(guide.path === OVERVIEW ? /^# [^\n]*\n\n.*?\n\n/s : /^# .*\n/, '')
  const lists = listsByTitle(registry)
  // Places in the menu lead there.
  const linked = body.replaceAll(/(?<![*\w])\*(\w[^*›\n]* › ([^*›\n]+))\*(?!\*)/g, (text, _place, name: string) => {
    const model = lists.get(name.toLowerCase())
    return model && mayAct(actor, 'view', model, settings) ? `[${text}](${basePath}${pagePathOf(model)})` : text
  })
  const documentAt = (href: string): string | undefined => {
    const path = place(href)
    return [path, posix.join(path, OVERVIEW)].find((candidate) => GUIDE_PATHS.includes(candidate))
  }
  const place = (href: string): string => posix.normalize(posix.join(posix.dirname(guide.path), href))
  return documentMarkup(linked, {
    link: (href) => {
      if (href.startsWith('/')) return href
      const [target = '', anchor] = href.split('#')
      const path = documentAt(target)
      return path && `${basePath}${guideAddress(path)}${anchor === undefined ? '' : `#${anchor}`}`
    },
    title: (href) => {
      const path = documentAt(href)
      return path && guideAt(path).title
    },
    image: (source) => {
      const [, name] = /^images\/([\w-]+)\.webp$/.exec(place(source)) ?? []
      return name && staticUrl(basePath, `${name}.webp`)
    },
  })
}

/** Models with lists by their English titles in lower case. */
const listsByTitle = oncePer(
  ({ models }: Registry): ReadonlyMap<string, Model> =>
    new Map(
      [...models.values()]
        .filter((model) => pagePathOf(model) !== undefined)
        .map((model) => [pluralTitleOf(model).toLowerCase(), model]),
    ),
)

function results({ service }: ApiRequest, text: string): Html {
  const sections = findSections(text)
  if (sections.length === 0) return html`<p class="notice">${translate('Nothing found')}</p>`
  const { basePath } = service.settings
  return html`<ul class="guide-results" lang="en">${sections.map(({ guide, section }) => {
    const anchor = section.level > 1 ? `#${section.anchor}` : ''
    return html`<li class="card"><a href="${basePath}${guideAddress(guide.path)}${anchor}">${guide.title}${section.level > 1 && ` › ${section.heading}`}</a><p>${excerpt({ guide, section }, text)}</p></li>`
  })}</ul>`
}

/** Characters of an excerpt before the first word that was found, and in all. */
const BEFORE = 60
const EXCERPT = 240

/** The text around the rarest of the words, with all of them marked. */
function excerpt({ section }: FoundSection, text: string): Content {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const plain = section.text.replaceAll(/[\s|]+/g, ' ')
  const lower = plain.toLowerCase()
  const places = words.map((word) => ({ first: lower.indexOf(word), count: lower.split(word).length }))
  const [rarest] = places.filter(({ first }) => first >= 0).toSorted((left, right) => left.count - right.count)
  const first = rarest?.first ?? plain.length
  const start = first === plain.length ? 0 : Math.max(0, first - BEFORE)
  const near = plain.slice(start, start + EXCERPT)
  const pattern = new RegExp(`(${words.map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|')})`, 'gi')
  const parts = near.split(pattern).map((part, index) => (index % 2 === 1 ? html`<mark>${part}</mark>` : part))
  return html`${start > 0 && '… '}${parts}${start + EXCERPT < plain.length && ' …'}`
}
