import { expect } from 'vitest'
import type { Api, ApiAnswer, Document } from '../support/api.ts'

export const MODERN = '2026-07-28'

/** The headers and `_meta` of a request without a handshake. */
export function modernMessage(method: string, params: Readonly<Record<string, unknown>> = {}, version = MODERN) {
  const headers = {
    'MCP-Protocol-Version': version,
    'Mcp-Method': method,
    ...(typeof params.name === 'string' && { 'Mcp-Name': params.name }),
    ...(typeof params.uri === 'string' && { 'Mcp-Name': params.uri }),
  }
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  return { headers, body: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } } }
}

/** The result of a tool: its document, and whether it refused the call. */
export interface Called {
  readonly isError: boolean
  readonly document: Document
  readonly text: string
}

/** Calls tools as the holder of a token. Fails the test if the protocol refuses the call. */
export const toolsOf =
  (api: Pick<Api, 'ask'>, token?: string) =>
  async (name: string, args: Readonly<Record<string, unknown>> = {}): Promise<Called> => {
    const answer: ApiAnswer = await api.ask('POST', '/mcp', {
      ...(token !== undefined && { token }),
      ...modernMessage('tools/call', { name, arguments: args }),
    })
    expect(answer.status, answer.text).toBe(200)
    const { result } = answer.json
    const text = String(result?.content?.[0]?.text)
    const document = JSON.parse(text)
    expect(result?.structuredContent).toEqual(document)
    return { isError: Boolean(result?.isError), document, text }
  }
