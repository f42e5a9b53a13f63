/** The part of the package that tests use; it has no types of its own. */
declare module '@20minutes/s3rver' {
  // biome-ignore lint/style/noDefaultExport: it is the package's own
  export default class S3rver {
    constructor(options: {
      readonly port: number
      readonly address: string
      readonly silent: boolean
      readonly directory: string
      readonly configureBuckets: readonly { readonly name: string; readonly configs: readonly [] }[]
    })
    run(): Promise<{ readonly port: number }>
    close(): Promise<void>
  }
}
