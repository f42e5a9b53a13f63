/** Proxies for outgoing requests, by the scheme of the target. */
export interface ProxySettings {
  readonly httpProxy: string | undefined
  readonly httpsProxy: string | undefined
  /** Hosts that are reached directly: `example.com` with its subdomains, `.example.com`, `host:port`, or `*` for all. */
  readonly noProxy: readonly string[]
}

/** URL of the proxy for requests to `url`; undefined if they are sent directly. */
export function proxyOf(url: URL, { httpProxy, httpsProxy, noProxy }: ProxySettings): string | undefined {
  const proxy = url.protocol === 'https:' ? httpsProxy : httpProxy
  if (proxy === undefined) return undefined
  return noProxy.some((entry) => isExcepted(url, entry.toLowerCase())) ? undefined : proxy
}

function isExcepted({ hostname, port, protocol }: URL, entry: string): boolean {
  if (entry === '*') return true
  const [, name = '', only] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? []
  const actual = port === '' ? (protocol === 'https:' ? '443' : '80') : port
  if (only !== undefined && only !== actual) return false
  const host = name.replace(/^\*?\./, '')
  return hostname === host || hostname.endsWith(`.${host}`)
}
