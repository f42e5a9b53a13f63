import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Endpoint } from '../endpoint.ts'
import { HTML_TYPE, type HttpResponse } from '../response.ts'

const DIRECTORY = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))

/** Files of the package that the page needs, with their media types. */
const FILES: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'index.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'swagger-ui-standalone-preset.js': 'text/javascript; charset=utf-8',
  'favicon-16x16.png': 'image/png',
  'favicon-32x32.png': 'image/png',
}

const START = 'start.js'

/** Allows nothing from other hosts; the package sets inline styles and draws with data: images. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>Cadastre REST API</title>
    <link rel="stylesheet" href="swagger-ui.css">
    <link rel="stylesheet" href="index.css">
    <link rel="icon" type="image/png" href="favicon-32x32.png" sizes="32x32">
    <link rel="icon" type="image/png" href="favicon-16x16.png" sizes="16x16">
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="swagger-ui-bundle.js"></script>
    <script src="swagger-ui-standalone-preset.js"></script>
    <script src="${START}"></script>
  </body>
</html>
`

const SCRIPT = `window.onload = () => {
  SwaggerUIBundle({
    url: '../?format=json',
    dom_id: '#swagger-ui',
    deepLinking: true,
    docExpansion: 'none',
    filter: true,
    validatorUrl: null,
    presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  })
}
`

/** Endpoints of the documentation by path below /api/schema/swagger-ui/; '' is the page itself. */
export const swaggerUi: ReadonlyMap<string, Endpoint> = new Map([
  ['', { ...file(async () => page(PAGE, HTML_TYPE)), isFile: false }],
  [START, file(async () => page(SCRIPT, 'text/javascript; charset=utf-8'))],
  ...Object.entries(FILES).map(([name, type]): [string, Endpoint] => {
    // Read at the first request.
    let body: Buffer | undefined
    const answer = async () => {
      body ??= await readFile(join(DIRECTORY, name))
      return page(body, type)
    }
    return [name, file(answer)]
  }),
])

function file(answer: () => Promise<HttpResponse>): Endpoint {
  return {
    name: 'Documentation',
    description: '',
    isPublic: true,
    negotiates: true,
    isFile: true,
    methods: { GET: answer },
  }
}

const page = (body: string | Uint8Array, type: string): HttpResponse => ({
  status: 200,
  type,
  body,
  headers: { 'Content-Security-Policy': POLICY },
})
