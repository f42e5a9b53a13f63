import type { ComputeContext } from '../../schema/computed.ts'

/** Nested JSON texts of objects of several types: one batch for each type. */
export async function nestedTexts(
  objects: readonly { readonly type: string; readonly object: number }[],
  { nested }: ComputeContext,
): Promise<(type: string, id: number) => string | undefined> {
  const byType = Map.groupBy(objects, ({ type }) => type)
  const texts = new Map(
    await Promise.all(
      [...byType].map(
        async ([type, items]) =>
          [type, await nested(type, [...new Set(items.map(({ object }) => object))])] as const,
      ),
    ),
  )
  return (type, id) => texts.get(type)?.get(id)
}
