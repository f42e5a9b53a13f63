import type { Service } from '../service.ts'

/** Status codes of gRPC; https://grpc.io/docs/guides/status-codes/. */
export const GRPC_STATUS = {
  ok: 0,
  invalidArgument: 3,
  permissionDenied: 7,
  resourceExhausted: 8,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
  unauthenticated: 16,
} as const

/** Refusal of a gRPC call. */
export class GrpcError extends Error {
  readonly status: number

  constructor(status: keyof typeof GRPC_STATUS, message: string) {
    super(message)
    this.status = GRPC_STATUS[status]
  }
}

/** A call with one message. */
export interface GrpcRequest {
  readonly service: Service
  /** UUID for the log and change records. */
  readonly id: string
  readonly message: Uint8Array
  readonly metadata: Readonly<Record<string, string | undefined>>
}

/** Returns the message of the response. Throws GrpcError to refuse. */
export type GrpcCall = (request: GrpcRequest) => Promise<Uint8Array>
