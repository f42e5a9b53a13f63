import MarkdownIt from 'markdown-it'
import { type Html, html, trusted } from '../html.ts'
import { anchorOf } from './documents.ts'

/** Where the links and images of a document lead; undefined for what the service does not have. */
export interface Targets {
  readonly link: (href: string) => string | undefined
  /** Title of the document at an address, which replaces the name of its file. */
  readonly title: (href: string) => string | undefined
  readonly image: (source: string) => string | undefined
}

/** HTML in a document is shown as text. */
const renderer = new MarkdownIt({ html: false })

/** Relative addresses, and those that browsers open without running anything. */
renderer.validateLink = (url) => /^(?:https?:|mailto:)/i.test(url) || !/^\s*[a-z][a-z0-9+.-]*:/i.test(url)

renderer.core.ruler.push('targets', ({ tokens, env }) => {
  const { link, title } = env as Targets // by documentMarkup
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const text = tokens[index + 1]?.children?.map(({ content }) => content).join('') ?? ''
      token.attrSet('id', anchorOf(text))
    }
    // The content security policy refuses style attributes.
    const style = token.attrGet('style')
    if (style !== null) {
      token.attrs = token.attrs?.filter(([name]) => name !== 'style') ?? null
      token.attrJoin('class', style.replace('text-align:', 'align-'))
    }
    let isDead = false
    for (const [place, child] of (token.children ?? []).entries()) {
      if (child.type === 'link_open') {
        const href = String(child.attrGet('href'))
        const target = /^(?:https?:|mailto:|#)/i.test(href) ? href : link(href)
        isDead = target === undefined
        const label = token.children?.[place + 1]
        if (label && href.endsWith(label.content)) label.content = title(href) ?? label.content
        if (target === undefined) child.attrs = null
        else child.attrSet('href', target)
        if (/^https?:/i.test(href)) child.attrSet('rel', 'noreferrer')
      }
      if (isDead && /^link_/.test(child.type)) child.tag = 'span'
      if (child.type === 'link_close') isDead = false
    }
  }
})

const { rules } = renderer.renderer

rules.image = (tokens, index, _options, env) => {
  const token = tokens[index]
  const source = (env as Targets).image(String(token?.attrGet('src'))) // by documentMarkup
  const label = token?.content ?? ''
  return (
    source === undefined ? html`<em>${label}</em>` : html`<img src="${source}" alt="${label}" loading="lazy">`
  ).toString()
}
rules.fence = (tokens, index) => html`<pre tabindex="0"><code>${tokens[index]?.content ?? ''}</code></pre>`.toString()
rules.table_open = () => '<div class="scroll" tabindex="0"><table>'
rules.table_close = () => '</table></div>'

/** A document of the service. */
export const documentMarkup = (markdown: string, targets: Targets): Html =>
  trusted(renderer.render(markdown, { ...targets }))
