import MarkdownIt from 'markdown-it'
import { type Html, html, trusted } from '../html.ts'

/** Without HTML from the author; only links to URLs that browsers open without running anything. */
const renderer = new MarkdownIt({ html: false, linkify: true, breaks: true })

renderer.validateLink = (url) => /^(https?:|mailto:|tel:|ssh:|\/(?!\/)|#)/i.test(url.trim())

renderer.core.ruler.push('safe_elements', ({ tokens }) => {
  for (const token of tokens.flatMap((token) => [token, ...(token.children ?? [])])) {
    if (token.type === 'link_open') token.attrSet('rel', 'noreferrer nofollow')
    // The content security policy refuses style attributes.
    const style = token.attrGet('style')
    if (style === null) continue
    token.attrs = token.attrs?.filter(([name]) => name !== 'style') ?? null
    token.attrJoin('class', style.replace('text-align:', 'align-'))
  }
})

/** Pictures from other hosts become links: pages load nothing from elsewhere. */
renderer.renderer.rules.image = (tokens, index) => {
  const token = tokens[index]
  const source = token?.attrGet('src') ?? ''
  const label = token?.content || source
  const image = source.startsWith('/')
    ? html`<img src="${source}" alt="${label}" loading="lazy">`
    : html`<a href="${source}" rel="noreferrer nofollow">${label}</a>`
  return image.toString()
}

/**
 * Longer texts are shown unformatted, because markdown-it takes quadratic time for some texts: 10 seconds for a million
 * characters.
 */
const LONGEST = 32_000

/** A text that its author wrote in Markdown. HTML in it is shown as text. */
export const renderedMarkdown = (text: string): Html =>
  text.length > LONGEST
    ? html`<div class="markdown unformatted" dir="auto">${text}</div>`
    : html`<div class="markdown" dir="auto">${trusted(renderer.render(text))}</div>`
