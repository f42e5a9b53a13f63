import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { Endpoint, Handler } from '../endpoint.ts'
import { HTML_TYPE, type HttpResponse } from '../response.ts'

type Content = string | Uint8Array

/** A page that runs the browser code of a package. The files lie beside it, so its addresses are relative. */
interface Bundle extends Pick<Endpoint, 'name' | 'description'> {
  readonly title: string
  readonly directory: string
  /** Files in the directory by the names that browsers request; the page loads all of them in this order. */
  readonly files: Readonly<Record<string, string>>
  /** Directives of the Content-Security-Policy that the package needs beyond those of all bundles. */
  readonly policy?: string
  /** Links above the package's content, by text: the package itself has none. */
  readonly links: Readonly<Record<string, string>>
  readonly content: string
  /** Style and script of the page, which follow those of the package. */
  readonly style: string
  readonly script: string
  /** Further files, by name. */
  readonly data?: Readonly<Record<string, () => Content>>
}

/** The page, and what it loads. */
export interface BundlePage {
  page(): HttpResponse
  /** The page's files by name. */
  readonly files: readonly (readonly [string, Endpoint])[]
}

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
}

const STYLE = `body > nav { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; padding: 0.625rem 1.25rem; font: 16px system-ui, sans-serif; background: #fff; }
body > nav a { color: #0b6b63; }
body > nav a:first-child { font-weight: 700; }
`

/** How the page loads a file. */
const ELEMENTS: Readonly<Record<string, (name: string) => string>> = {
  '.css': (name) => `<link rel="stylesheet" href="${name}">`,
  '.js': (name) => `<script src="${name}" defer></script>`,
  '.png': (name) => `<link rel="icon" type="image/png" href="${name}" sizes="${/\d+x\d+/.exec(name)?.[0] ?? 'any'}">`,
}

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
      .map((file) => ELEMENTS[extname(file)]?.(file))
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
    files: Object.entries({ ...loaded, ...bundle.data }).map(([file, read]) => {
      const handle: Handler = async () => respond(await read(), TYPES[extname(file)] ?? 'application/octet-stream')
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
