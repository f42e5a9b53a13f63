import type { Json } from '../../schema/json.ts'

interface Order {
  /** Absolute path. */
  readonly file: string
  readonly allowsNetwork: boolean
}

/** Messages to the process of a script. */
export type ToRunner =
  | (Order & { readonly kind: 'describe' })
  | (Order & {
      readonly kind: 'run'
      /** Name of the script in the file. */
      readonly name: string
      readonly data: Json
      readonly commit: boolean
    })
  /** Answers a request. */
  | {
      readonly kind: 'response'
      readonly id: number
      readonly status: number
      readonly body: string | undefined
    }

/** Messages from the process of a script; a script could forge them. */
export type FromRunner =
  | { readonly kind: 'described'; readonly scripts: unknown }
  | {
      readonly kind: 'request'
      readonly id: number
      readonly method: string
      readonly path: string
      readonly body: unknown
    }
  | {
      readonly kind: 'log'
      readonly level: string
      readonly message: string
      readonly object: string | null
      readonly url: string | null
    }
  | { readonly kind: 'finished'; readonly output: unknown }
  | {
      readonly kind: 'failed'
      readonly name: string
      readonly message: string
      readonly stack: string
      /** As Python writes the exception; absent for scripts in TypeScript. */
      readonly repr?: string
    }
