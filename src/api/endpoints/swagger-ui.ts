import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Endpoint } from '../endpoint.ts'
import type { OpenApiTexts } from '../openapi/texts.ts'
import { HTML_TYPE } from '../response.ts'
import { packagePage, SCRIPT_TYPE, STYLE_TYPE } from './package-page.ts'

const DIRECTORY = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))

/** Files of the package that the page needs, with their media types. */
const FILES: Readonly<Record<string, string>> = {
  'swagger-ui.css': STYLE_TYPE,
  'index.css': STYLE_TYPE,
  'swagger-ui-bundle.js': SCRIPT_TYPE,
  'swagger-ui-standalone-preset.js': SCRIPT_TYPE,
  'favicon-16x16.png': 'image/png',
  'favicon-32x32.png': 'image/png',
}

const START = 'start.js'

/** Allows nothing from other hosts; the package sets inline styles and draws with data: images. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const { respond, file, stored } = packagePage('Documentation', '', POLICY)

/** A link back, above Swagger UI, which has none. Paths are relative to /api/schema/swagger-ui/. */
const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>REST API · Cadastre</title>
    <link rel="stylesheet" href="swagger-ui.css">
    <link rel="stylesheet" href="index.css">
    <link rel="stylesheet" href="style.css">
    <link rel="icon" type="image/png" href="favicon-32x32.png" sizes="32x32">
    <link rel="icon" type="image/png" href="favicon-16x16.png" sizes="16x16">
  </head>
  <body>
    <nav class="back" aria-label="Main">
      <a href="../../../">Cadastre</a>
      <a href="../../">API</a>
      <a href="../?format=json">OpenAPI document</a>
    </nav>
    <div id="swagger-ui"></div>
    <script src="swagger-ui-bundle.js"></script>
    <script src="swagger-ui-standalone-preset.js"></script>
    <script src="${START}"></script>
  </body>
</html>
`

const STYLE = `.back { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; padding: 0.75rem 1.25rem; font: 16px system-ui, sans-serif; background: #fff; }
.back a { color: #0b6b63; }
.back a:first-child { font-weight: 700; }
.dark-mode body { background: #1c2022; }
.dark-mode .back { background: #1a2224; }
.dark-mode .back a { color: #5fd0c2; }
.swagger-ui .topbar-wrapper > .link { display: none; }
.swagger-ui .opblock .opblock-summary-path { flex-shrink: 1; }
`

/**
 * One document for each app: Swagger UI copies the whole document for each request that it sends, which takes ten
 * seconds for the complete one. Schemas are shown with the operations that need them.
 */
const scriptFor = (documents: readonly string[]): string => `window.onload = () => {
  SwaggerUIBundle({
    urls: ${JSON.stringify(documents.map((name) => ({ name, url: `${name}.json` })))},
    'urls.primaryName': new URLSearchParams(location.search).get('urls.primaryName') ?? 'dcim',
    dom_id: '#swagger-ui',
    layout: 'StandaloneLayout',
    deepLinking: true,
    docExpansion: 'none',
    defaultModelsExpandDepth: -1,
    defaultModelExpandDepth: 2,
    filter: true,
    validatorUrl: null,
    // Users who are signed in can try writes without a token.
    requestInterceptor: (request) => {
      const csrfToken = /(?:^|; )csrftoken=([^;]*)/.exec(document.cookie)?.[1]
      if (csrfToken && request.method && request.method !== 'GET') request.headers['X-CSRFToken'] = csrfToken
      return request
    },
    presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  })
}
`

/** Name of the document with the endpoints that belong to no app. */
const REST = 'service'

/** /api/schema/redoc/ and below, where NetBox has a second documentation: redirects to this one. */
export const formerReference: Endpoint = {
  ...file(async ({ service }) => ({
    status: 302,
    headers: { Location: `${service.settings.basePath}/api/schema/swagger-ui/` },
  })),
  kind: 'other',
}

/** The pages of the documentation by path below /api/schema/swagger-ui/; '' is the page itself. `apps`: see OpenApiTexts. */
export function swaggerUi(texts: OpenApiTexts, apps: readonly string[]): ReadonlyMap<string, Endpoint> {
  const script = scriptFor([...apps, REST])
  const documents = [...apps.map((app) => [app, app] as const), [REST, ''] as const]
  return new Map([
    ['', { ...file(async () => respond(PAGE, HTML_TYPE)), kind: 'other' }],
    [START, file(async () => respond(script, SCRIPT_TYPE))],
    ['style.css', file(async () => respond(STYLE, STYLE_TYPE))],
    ...documents.map(([name, app]): [string, Endpoint] => [
      `${name}.json`,
      file(async () => respond(texts.app(app).body, 'application/json')),
    ]),
    ...Object.entries(FILES).map(([name, type]): [string, Endpoint] => [name, stored(join(DIRECTORY, name), type)]),
  ])
}
