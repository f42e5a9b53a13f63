/** Kea's configuration by HTTP and as a command. */
import { createHash } from 'node:crypto'
import {
  ANY_OBJECT,
  type ApiRequest,
  action,
  ConfigurationError,
  findTarget,
  type HttpResponse,
  invalid,
  packCode,
  readerOf,
  type Service,
  settingsOfPack,
  sql,
  table,
  unlessKnown,
} from 'cadastre'
import { type Family, keaConfiguration, keaSubnets, type ReadRows, type Wanted } from './kea.ts'

const PACK = 'dhcp'
const PREFIX = 'ipam.prefix'

const textOf = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`

/** GET: the configuration, or its subnets alone, of the prefixes that the parameters of their list select. */
async function sendConfiguration(request: ApiRequest, family: Family): Promise<HttpResponse> {
  const filters = new URLSearchParams(request.search)
  const part = filters.get('part')
  for (const name of ['part', 'vrf_id', 'format']) filters.delete(name)
  if (part !== null && part !== 'subnets') throw invalid({ part: ['Expected subnets.'] })
  const reader = readerOf(request)
  const wanted: Wanted = {
    family,
    vrf: await vrfOf(request),
    condition: (await reader.condition(PREFIX, filters)) ?? sql`true`,
    settings: await settingsOfPack(request.service, PACK),
  }
  const read: ReadRows = (statement) => reader.rows(statement)
  const body = textOf(part === null ? await keaConfiguration(read, wanted) : await keaSubnets(read, wanted))
  const headers = { ETag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"` }
  const response = { status: 200, body, type: 'application/json', headers }
  return unlessKnown(response, request.headers['if-none-match'])
}

/** The VRF of the parameter `vrf_id`; null for the global table. A server has each subnet once. */
async function vrfOf(request: ApiRequest): Promise<number | null> {
  const text = request.search.get('vrf_id')
  if (text === null || text === 'null') return null
  return (await findTarget({ ...request, parameters: [text] }, 'ipam.vrf')).id
}

const FAMILIES = [4, 6] as const

/** `kea4 [<name of a VRF>]`: prints the configuration for all prefixes of the VRF, or of the global table. */
async function printConfiguration(
  family: Family,
  {
    service,
    words,
    print,
  }: { readonly service: Service; readonly words: readonly string[]; readonly print: (line: string) => void },
): Promise<void> {
  const [name] = words
  const { database } = service
  const [vrf = null] =
    name === undefined
      ? []
      : await database.queryColumn(sql`select t.id from ${table('ipam.vrf')} t where t.name = ${name}`)
  if (name !== undefined && vrf === null) throw new ConfigurationError(`There is no VRF "${name}".`)
  const read: ReadRows = async <Row extends readonly unknown[]>(statement: ReturnType<typeof sql>) =>
    (await database.queryArrays(statement)) as unknown as readonly Row[] // the columns of the statement
  const settings = await settingsOfPack(service, PACK)
  const wanted = { family, vrf: vrf === null ? null : Number(vrf), condition: sql`true`, settings }
  print(textOf(await keaConfiguration(read, wanted)).trimEnd())
}

export default packCode({
  actions: FAMILIES.map((family) =>
    action({
      path: `plugins/dhcp/kea${family}`,
      title: `Kea DHCPv${family}`,
      description: `The configuration of kea-dhcp${family} from the prefixes that the filters of their list select. With part=subnets, only the list of subnets.`,
      methods: {
        GET: {
          permission: { view: PREFIX },
          answer: ANY_OBJECT,
          handle: (request) => sendConfiguration(request, family),
        },
      },
    }),
  ),
  commands: Object.fromEntries(
    FAMILIES.map((family) => [
      `kea${family}`,
      {
        about: `Print the configuration of kea-dhcp${family}, of a VRF or of the global table.`,
        run: (context) => printConfiguration(family, context),
      },
    ]),
  ),
})
