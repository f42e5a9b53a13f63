import { type Access, ask } from './client.ts'

/** Objects created on a server, to be removed again. */
export class CreatedObjects {
  readonly #access: Access
  readonly #removals: (() => Promise<unknown>)[] = []

  constructor(access: Access) {
    this.#access = access
  }

  /** Creates objects of a collection, such as `dcim/sites`, by one request. Returns their ids. */
  async create(path: string, bodies: readonly object[]): Promise<readonly number[]> {
    const collection = `/api/${path}/`
    const created = (await ask(this.#access, 'POST', collection, bodies)) as readonly {
      readonly id: number
    }[]
    const ids = created.map(({ id }) => id)
    this.beforeRemoval(() =>
      ask(
        this.#access,
        'DELETE',
        collection,
        ids.map((id) => ({ id })),
      ),
    )
    return ids
  }

  async createOne(path: string, body: object): Promise<number> {
    const [id = 0] = await this.create(path, [body])
    return id
  }

  /** Runs the function when the objects are removed, before the removal of those that exist already. */
  beforeRemoval(undo: () => Promise<unknown>): void {
    this.#removals.push(undo)
  }

  /** Removes the objects, the last ones first. */
  async remove(): Promise<void> {
    for (const undo of this.#removals.splice(0).toReversed()) await undo()
  }
}
