import { join } from 'node:path'
import type { Endpoint } from '../endpoint.ts'
import { HTML_TYPE, type HttpResponse } from '../response.ts'
import { packagePage, SCRIPT_TYPE, STYLE_TYPE } from './package-page.ts'

const DIRECTORY = join(import.meta.dirname, '../../../vendor/graphiql')

/** Files of vendor/graphiql by their names below /graphql/: the name there, the media type. */
const FILES: Readonly<Record<string, readonly [file: string, type: string]>> = {
  'graphiql.css': ['graphiql.min.css', STYLE_TYPE],
  'graphiql.js': ['graphiql.min.js', SCRIPT_TYPE],
  'react.js': ['react.production.min.js', SCRIPT_TYPE],
  'react-dom.js': ['react-dom.production.min.js', SCRIPT_TYPE],
}

/** Nothing comes from other hosts. The editor sets inline styles, and its fonts are in the style sheet. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const { respond, file, stored } = packagePage('GraphiQL', 'Files of the editor for GraphQL queries.', POLICY)

/** Paths are relative to /graphql/. */
const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>GraphQL · Cadastre</title>
    <link rel="stylesheet" href="graphiql.css">
    <link rel="stylesheet" href="style.css">
  </head>
  <body>
    <nav aria-label="Main"><a href="../">Cadastre</a> <a href="../api/">API</a></nav>
    <main id="graphiql">The editor needs scripts.</main>
    <script src="react.js"></script>
    <script src="react-dom.js"></script>
    <script src="graphiql.js"></script>
    <script src="start.js"></script>
  </body>
</html>
`

const STYLE = `body { display: flex; flex-direction: column; height: 100vh; margin: 0; font: 16px system-ui, sans-serif; }
nav { display: flex; gap: 1.25rem; padding: 0.5rem 1.25rem; background: #fff; }
nav a { color: #0b6b63; }
nav a:first-child { font-weight: 700; }
#graphiql { flex: 1; min-height: 0; }
@media (prefers-color-scheme: dark) { nav { background: #1a2224; } nav a { color: #5fd0c2; } }
`

/** Queries are sent within the session, with the token that shows that they come from this page. */
const SCRIPT = `const token = () => /(?:^|; )csrftoken=([^;]*)/.exec(document.cookie)?.[1] ?? ''
const send = (url, init) => fetch(url, { ...init, headers: { ...init.headers, 'X-CSRFToken': token() } })
const fetcher = GraphiQL.createFetcher({ url: location.pathname, fetch: send })
ReactDOM.createRoot(document.getElementById('graphiql')).render(React.createElement(GraphiQL, { fetcher }))
`

/** The editor in which people write queries. */
export const graphiqlPage = (): HttpResponse => respond(PAGE, HTML_TYPE)

/** The files of the page by their names below /graphql/. */
export const graphiqlFiles = (): ReadonlyMap<string, Endpoint> =>
  new Map([
    ['start.js', file(async () => respond(SCRIPT, SCRIPT_TYPE))],
    ['style.css', file(async () => respond(STYLE, STYLE_TYPE))],
    ...Object.entries(FILES).map(([name, [path, type]]): [string, Endpoint] => [
      name,
      stored(join(DIRECTORY, path), type),
    ]),
  ])
