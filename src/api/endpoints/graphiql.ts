import { join } from 'node:path'
import { type BundlePage, bundlePage } from './bundle-page.ts'

/** The editor in which people write queries, and its files by their names below /graphql/. */
export const graphiql: BundlePage = bundlePage({
  name: 'GraphiQL',
  description: 'Files of the editor for GraphQL queries.',
  title: 'GraphQL',
  directory: join(import.meta.dirname, '../../../vendor/graphiql'),
  files: {
    'graphiql.css': 'graphiql.min.css',
    'react.js': 'react.production.min.js',
    'react-dom.js': 'react-dom.production.min.js',
    'graphiql.js': 'graphiql.min.js',
  },
  // The fonts are in the style sheet.
  policy: "font-src 'self' data:; ",
  links: { Cadastre: '../', API: '../api/' },
  content: '<main id="graphiql">The editor needs scripts.</main>',
  style: `body { display: flex; flex-direction: column; height: 100vh; margin: 0; }
#graphiql { flex: 1; min-height: 0; }
@media (prefers-color-scheme: dark) { body > nav { background: #1a2224; } body > nav a { color: #5fd0c2; } }
`,
  // Queries are sent within the session, with the token that shows that they come from this page.
  script: `const token = () => /(?:^|; )csrftoken=([^;]*)/.exec(document.cookie)?.[1] ?? ''
const send = (url, init) => fetch(url, { ...init, headers: { ...init.headers, 'X-CSRFToken': token() } })
const fetcher = GraphiQL.createFetcher({ url: location.pathname, fetch: send })
ReactDOM.createRoot(document.getElementById('graphiql')).render(React.createElement(GraphiQL, { fetcher }))
`,
})
