import { SourceError } from './source-error.ts'

/** OpenSSL's and Node's codes for certificates that are not trusted. */
const UNTRUSTED =
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|CERT_\w+|ERR_TLS_CERT_ALTNAME_INVALID)$/

/** The reason why a request cannot reach the service, as a sentence; undefined where another attempt may succeed. */
export function permanentFailure(error: unknown, address: string): SourceError | undefined {
  const code = codeOf(error)
  if (code === 'ENOTFOUND') {
    return new SourceError(`No machine is known by the name in ${address}.`)
  }
  if (UNTRUSTED.test(code)) {
    return new SourceError(
      `The certificate of ${address} is not trusted (${code}); name the file of its authority in NODE_EXTRA_CA_CERTS.`,
    )
  }
  if (code === 'EPROTO' || /^ERR_(SSL|TLS)_/.test(code)) {
    return new SourceError(`${address} does not speak TLS as expected (${code}).`)
  }
  return undefined
}

/** The reason why a request failed after all attempts, in few words. */
export function describeFailure(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'no answer in time'
  return codeOf(error) || (error instanceof Error ? error.message : String(error))
}

/** fetch puts the reason into the causes of its error; with several addresses, into a list. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  if ('code' in error && typeof error.code === 'string') return error.code
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause
  return codeOf(inner)
}
