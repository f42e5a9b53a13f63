/** The scripts of the recordings, which are in Python, as scripts of this service. */

interface Context {
  readonly data: { readonly who: string; readonly site: number | null }
  readonly api: {
    get(path: string): Promise<object>
    patch(path: string, body: unknown): Promise<object>
  }
  readonly log: Readonly<Record<Level, (message: string, object?: unknown) => void>>
  readonly abort: (reason: string) => never
}
type Level = 'debug' | 'info' | 'success' | 'warning' | 'failure'

export const Hello = {
  description: 'says hello',
  variables: {
    who: { type: 'string', description: 'who', maxLength: 20 },
    n: { type: 'integer', default: 2, min: 1, max: 5 },
    flag: { type: 'boolean', default: true },
    pick: {
      type: 'choice',
      choices: [
        ['a', 'A'],
        ['b', 'B'],
      ],
      required: false,
    },
    site: { type: 'object', model: 'dcim.site', required: false },
    sites: { type: 'multiObject', model: 'dcim.site', required: false },
    net: { type: 'ipNetwork', required: false },
    text: { type: 'text', required: false },
  },
  run: async ({ data, api, log }: Context): Promise<string> => {
    log.debug('dbg')
    log.info(`info ${data.who}`)
    const site = data.site && (await api.get(`dcim/sites/${data.site}/`))
    log.success('ok', site)
    log.warning('warn')
    log.failure('fail')
    if (data.site) await api.patch(`dcim/sites/${data.site}/`, { description: 'by script' })
    return `hello ${data.who}`
  },
}

/** Named as in the recordings. */
class Exception extends Error {
  override readonly name = 'Exception'
}

export const Fails = {
  run: (): never => {
    throw new Exception('boom')
  },
}

export const Aborts = { run: ({ abort }: Context): never => abort('stop it') }
