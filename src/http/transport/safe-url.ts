/** Names of parameters whose values may let somebody in, or are a person's own. */
const SECRET = /pass|secret|token|key|code|state|session|csrf/i

/** Path and query as they may stand in a log: values of parameters with telling names are left out. */
export function safeUrl(url: string): string {
  const start = url.indexOf('?')
  if (start < 0) return url
  const parameters = url
    .slice(start + 1)
    .split('&')
    .map(safeParameter)
  return `${url.slice(0, start)}?${parameters.join('&')}`
}

function safeParameter(parameter: string): string {
  const end = parameter.indexOf('=')
  if (end < 0) return parameter
  const name = parameter.slice(0, end)
  return SECRET.test(decoded(name)) ? `${name}=…` : parameter
}

/** A name may be encoded in part or as a whole. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
