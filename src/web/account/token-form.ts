import type { FormValues } from '../../api/transport/body.ts'
import type { Messages } from '../../base/errors.ts'
import { textIn } from '../forms/form-texts.ts'
import type { TokenValues } from './token-form-page.ts'
import type { ShownToken } from './tokens-page.ts'

/** Initial values of the form for a new token. */
export const NEW_TOKEN: TokenValues = {
  description: '',
  expires: '',
  allowedIps: '',
  mayWrite: true,
  isEnabled: true,
  version: '1',
  apiVersion: '',
}

/** Values that were entered in the form. */
export function valuesOf(form: FormValues | undefined): TokenValues {
  return {
    description: textIn(form, 'description'),
    expires: textIn(form, 'expires'),
    allowedIps: textIn(form, 'allowed_ips'),
    mayWrite: textIn(form, 'write_enabled') === 'true',
    isEnabled: textIn(form, 'enabled') === 'true',
    version: textIn(form, 'version') === '2' ? '2' : '1',
    apiVersion: textIn(form, 'api_version'),
  }
}

/** Initial values of the form for an existing token. */
export const valuesOfToken = (token: ShownToken): TokenValues => ({
  description: token.description,
  expires: token.expires?.slice(0, 16) ?? '',
  allowedIps: token.allowedIps.join('\n'),
  mayWrite: token.mayWrite,
  isEnabled: token.isEnabled,
  version: token.version === 2 ? '2' : '1',
  apiVersion: token.apiVersion ?? '',
})

/** Browsers may omit seconds, and send no time zone. */
const LOCAL_TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?$/

/** The values as a body for the API. */
export const bodyOf = ({ description, expires, allowedIps, mayWrite, isEnabled, apiVersion }: TokenValues) => ({
  description,
  expires: expires === '' ? null : LOCAL_TIMESTAMP.test(expires) ? `${expires}Z` : expires,
  allowed_ips: allowedIps.split(/[\s,]+/).filter((network) => network !== ''),
  write_enabled: mayWrite,
  enabled: isEnabled,
  api_version: apiVersion === '' ? null : apiVersion,
})

/** Error messages of the API by field. */
export function errorsByField(messages: Messages): ReadonlyMap<string, readonly string[]> {
  if (typeof messages === 'string' || Array.isArray(messages)) {
    return new Map([['__all__', textsOf(messages)]])
  }
  return new Map(Object.entries(messages).map(([field, each]) => [field, textsOf(each)]))
}

/** Fields that are lists have messages per item. */
function textsOf(messages: Messages): readonly string[] {
  if (typeof messages === 'string') return [messages]
  return [...new Set(Object.values(messages).flatMap(textsOf))]
}
