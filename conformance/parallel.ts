/**
 * Runs `work` for every item, at most `width` at a time, and returns the results in the order of the items.
 * `progress` gets the number of finished items after each. Throws the first error.
 */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  width: number,
  progress: (done: number, all: number) => void,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const queue = items.entries()
  let done = 0
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) {
      results[index] = await work(item)
      done++
      progress(done, items.length)
    }
  }
  await Promise.all(Array.from({ length: width }, worker))
  return results
}
