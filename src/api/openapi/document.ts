import type { JsonObject } from '../../schema/json.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { actionPaths, type DescribedAction } from './action-paths.ts'
import { RESPONSE_SCHEMAS, RESPONSES } from './common-responses.ts'
import { modelPaths } from './model-paths.ts'
import { modelSchemas, SHARED_SCHEMAS } from './model-schemas.ts'
import { OTHER_PATHS, OTHER_SCHEMAS } from './other-paths.ts'
import { surroundingsOf } from './projection-schema.ts'
import { branchParameters } from './query-parameters.ts'
import { reachableSchemas } from './reachable-schemas.ts'

/** Content of the document beyond the models. */
export interface DocumentOptions {
  /** Version of the service. */
  readonly version: string
  /** Path below which the API is served, without a trailing slash; '' for the root. */
  readonly basePath: string
  /** Additional paths of models, below /api/, without slashes at the ends. */
  readonly aliases?: ReadonlyMap<string, Model>
  /** Endpoints beyond a model's create, read, update and delete. */
  readonly actions?: readonly (DescribedAction & {
    readonly schemas?: Readonly<Record<string, JsonObject>>
  })[]
}

const DESCRIPTION = `The REST API of Cadastre, a network source of truth. It is that of NetBox, with additions.

Send a token in the header \`Authorization\`. Lists are divided into pages: follow \`next\` until it is null. Each write
is carried out as a whole or not at all; with \`dry_run=true\` it is only tried. Dates and times are in ISO 8601 and UTC.`

/** What each app contains. */
const APPS: Readonly<Record<string, string>> = {
  circuits: 'Providers, circuits and their terminations',
  core: 'Changes, branches, jobs, data sources and the object types',
  dcim: 'Sites, racks, devices with their components, cables and power',
  extras: 'Tags, custom fields, templates, scripts, events and journals',
  ipam: 'Prefixes, addresses, VLANs, VRFs and autonomous systems',
  tenancy: 'Tenants and contacts',
  users: 'Users, groups, permissions and tokens',
  virtualization: 'Clusters and virtual machines',
  vpn: 'Tunnels, IKE and IPsec, L2VPNs',
  wireless: 'Wireless LANs and links',
}

/** The OpenAPI 3.0.3 document of all declared models and actions. */
export function openApiDocument(registry: Registry, options: DocumentOptions): JsonObject {
  const models = [...registry.models.values()]
  const context = surroundingsOf(registry)
  const aliases = [...(options.aliases ?? [])].map(([path, model]) => ({ ...model, path }))
  const paths = sorted(
    merged([
      ...[...models, ...aliases].map((model) => modelPaths(registry, model)),
      OTHER_PATHS,
      actionPaths(options.actions ?? [], (path) => {
        const model = models.find((candidate) => candidate.path !== '' && path.startsWith(`${candidate.path}/:id/`))
        return model ? branchParameters(registry, model) : []
      }),
    ]),
  )
  return {
    openapi: '3.0.3',
    info: {
      title: 'Cadastre REST API',
      version: options.version,
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [{ url: options.basePath }],
    tags: [...new Set(models.filter(({ path }) => path !== '').map(({ app }) => app))]
      .toSorted()
      .map((name) => ({ name, description: APPS[name] ?? `Models of the plugin ${name}` })),
    paths,
    components: {
      securitySchemes: {
        cookieAuth: { type: 'apiKey', in: 'cookie', name: 'sessionid' },
        tokenAuth: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description:
            'Enter `Bearer nbt_<key>.<token>` for a token of version 2, or `Token <token>` for one of version 1.',
        },
      },
      responses: RESPONSES,
      schemas: sorted(
        reachableSchemas([paths, RESPONSES], {
          ...Object.assign({}, ...models.map((model) => modelSchemas(context, model))),
          ...Object.fromEntries(context.projections),
          ...SHARED_SCHEMAS,
          ...OTHER_SCHEMAS,
          ...RESPONSE_SCHEMAS,
          ...Object.assign({}, ...(options.actions ?? []).map(({ schemas }) => schemas)),
        }),
      ),
    },
  }
}

/** Path items with those of the same path merged. */
function merged(parts: readonly Readonly<Record<string, JsonObject>>[]): Readonly<Record<string, JsonObject>> {
  const items: Record<string, JsonObject> = {}
  for (const pathItems of parts) {
    for (const [path, item] of Object.entries(pathItems)) items[path] = { ...items[path], ...item }
  }
  return items
}

const sorted = (entries: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(entries).toSorted(([a], [b]) => (a < b ? -1 : 1)))
