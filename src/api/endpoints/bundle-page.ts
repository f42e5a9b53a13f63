import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { Endpoint, Handler } from '../endpoint.ts'
import { HTML_TYPE, type HttpResponse } from '../response.ts'

type Content = string | Uint8Array

type Extension = '.css' | '.js' | '.json' | '.png'
type FileName = `${string}${Extension}`

/** A page that runs the browser code of a package. The files lie beside it, so its addresses are relative. */
interface Bundle extends Pick<Endpoint, 'name' | 'description'> {
  readonly title: string
  readonly directory: string
  /** Files in the directory by the names that browsers request; the page loads all of them in this order. */
  readonly files: Readonly<Record<FileName, string>>
  /** Further directives of the Content-Security-Policy, which only this package needs. */
  readonly policy?: string
  /** Links above the package's content, by text: the package itself has none. */
  readonly links: Readonly<Record<string, string>>
  readonly content: string
  /** The page's own style and script, loaded after those of the package. */
  readonly style: string
  readonly script: string
  /** Further files, by name. */
  readonly data?: Readonly<Record<FileName, () => Content>>
}

/** The page, and what it loads. */
export interface BundlePage {
  page(): HttpResponse
  /** The page's files by name. */
  readonly files: readonly (readonly [string, Endpoint])[]
}

const STYLE = `body > nav { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; padding: 0.625rem 1.25rem; font: 16px system-ui, sans-serif; background: #fff; }
body > nav a { color: #0b6b63; }
body > nav a:first-child { font-weight: 700; }
`

/** A kind of file: its media type, and how the page loads it if it does. */
interface FileKind {
  readonly type: string
  readonly element?: (name: string) => string
}

/** All kinds of files of bundles, by the end of their names. */
const KINDS: Readonly<Record<Extension, FileKind>> = {
  '.css': { type: 'text/css; charset=utf-8', element: (name) => `<link rel="stylesheet" href="${name}">` },
  '.js': { type: 'text/javascript; charset=utf-8', element: (name) => `<script src="${name}" defer></script>` },
  '.json': { type: 'application/json' },
  '.png': {
    type: 'image/png',
    element: (name) =>
      `<link rel="icon" type="image/png" href="${name}" sizes="${/\d+x\d+/.exec(name)?.[0] ?? 'any'}">`,
  },
}

const kindOf = (name: string): FileKind => KINDS[extname(name) as Extension] // the name is a FileName

/** The endpoints of a bundle. Nothing comes from other hosts; packages set inline styles and draw with data: images. */
export function bundlePage({ name, description, ...bundle }: Bundle): BundlePage {
  const policy =
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
    `${bundle.policy ?? ''}connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
  const respond = (body: Content, type: string): HttpResponse => ({
    ...{ status: 200, type, body, headers: { 'Content-Security-Policy': policy } },
  })
  const loaded: Record<string, () => Content | Promise<Content>> = {
    ...Object.fromEntries(
      Object.entries(bundle.files).map(([file, path]) => [file, storedFile(join(bundle.directory, path))]),
    ),
    'style.css': () => STYLE + bundle.style,
    'start.js': () => bundle.script,
  }
  const html = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${bundle.title} · Cadastre</title>
    ${Object.keys(loaded)
      .map((file) => kindOf(file).element?.(file))
      .join('\n    ')}
  </head>
  <body>
    <nav aria-label="Main">
      ${Object.entries(bundle.links)
        .map(([text, address]) => `<a href="${address}">${text}</a>`)
        .join('\n      ')}
    </nav>
    ${bundle.content}
  </body>
</html>
`
  return {
    page: () => respond(html, HTML_TYPE),
    files: Object.entries<() => Content | Promise<Content>>({ ...loaded, ...bundle.data }).map(([file, read]) => {
      const handle: Handler = async () => respond(await read(), kindOf(file).type)
      return [file, { name, description, access: 'public', kind: 'file', methods: { GET: { handle } } }]
    }),
  }
}

/** The content of a file, which is read at the first request. */
function storedFile(path: string): () => Promise<Content> {
  let content: Buffer | undefined
  return async () => {
    content ??= await readFile(path)
    return content
  }
}
