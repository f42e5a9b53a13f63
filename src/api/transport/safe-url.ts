import { unescaped } from '../../schema/unescaped.ts'

/** Names of parameters whose values may be secret or personal. */
const SECRET = /pass|secret|token|key|code|state|session|csrf/i

/** Path and query for logs: values of sensitive parameters are masked. */
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
  return SECRET.test(unescaped(name)) ? `${name}=…` : parameter
}
