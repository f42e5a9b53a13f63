/** Pages of one kind. */
export interface PageShape {
  readonly name: string
  /** Objects that the pages are about: path below `/api/`, and filters. */
  readonly collection: string
  readonly filters?: string
  /** Only objects that the benchmark has created (`page-fixtures.ts`). */
  readonly isOfFixtures?: true
  /** Paths of different pages; `ids`: the objects, `count`: their number. */
  readonly paths: (ids: readonly number[], count: number) => readonly string[]
}
