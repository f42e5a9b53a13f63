/** The part of the identity provider that the tests use. */
declare module 'samlp' {
  type Done<T> = (error: unknown, result: T) => void
  interface ParsedRequest {
    readonly id: string
    readonly issuer: string
    readonly assertionConsumerServiceURL: string
  }
  export function parseRequest(
    request: { readonly query: Readonly<Record<string, string>> },
    done: Done<ParsedRequest>,
  ): void
  export function getSamlResponse(options: object, user: unknown, done: Done<string>): void
}
