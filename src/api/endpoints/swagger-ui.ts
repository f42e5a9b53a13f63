import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import type { Endpoint, Handler } from '../endpoint.ts'
import type { OpenApiTexts } from '../openapi/texts.ts'
import { bundlePage } from './bundle-page.ts'

/** Files of the package that the page needs. */
const FILES = [
  ...['swagger-ui.css', 'index.css', 'favicon-32x32.png', 'favicon-16x16.png'],
  ...['swagger-ui-bundle.js', 'swagger-ui-standalone-preset.js'],
]

/** Dark as Swagger UI is: by its own switch. */
const STYLE = `.dark-mode body { background: #1c2022; }
.dark-mode body > nav { background: #1a2224; }
.dark-mode body > nav a { color: #5fd0c2; }
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

const documentation = (handle: Handler): Endpoint => ({
  ...{ name: 'Documentation', description: '', access: 'public', kind: 'other', methods: { GET: { handle } } },
})

/** /api/schema/redoc/ and below, where NetBox has a second documentation: redirects to this one. */
export const formerReference = documentation(async ({ service }) => ({
  status: 302,
  headers: { Location: `${service.settings.basePath}/api/schema/swagger-ui/` },
}))

/** The pages of the documentation by path below /api/schema/swagger-ui/; '' is the page itself. `apps`: see OpenApiTexts. */
export function swaggerUi(texts: OpenApiTexts, apps: readonly string[]): ReadonlyMap<string, Endpoint> {
  const { page, files } = bundlePage({
    name: 'Documentation',
    description: '',
    title: 'REST API',
    directory: dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json')),
    files: Object.fromEntries(FILES.map((name) => [name, name])),
    links: { Cadastre: '../../../', API: '../../', 'OpenAPI document': '../?format=json' },
    content: '<div id="swagger-ui"></div>',
    style: STYLE,
    script: scriptFor([...apps, REST]),
    data: Object.fromEntries(
      [...apps, REST].map((name) => [`${name}.json`, () => texts.app(name === REST ? '' : name).body]),
    ),
  })
  return new Map([['', documentation(async () => page())], ...files])
}
