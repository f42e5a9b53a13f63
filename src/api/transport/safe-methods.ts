/** Methods that change nothing (RFC 9110 §9.2.1). No endpoint implements TRACE. */
const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

export const isSafe = (method: string): boolean => SAFE.has(method)
