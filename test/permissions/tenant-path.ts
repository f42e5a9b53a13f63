import type { Model } from '../../src/schema/registry.ts'

/** The shortest path to a tenant by at most three foreign keys; undefined if there is none. */
export function tenantPath(model: Model): readonly string[] | undefined {
  let level: readonly { readonly here: Model; readonly path: readonly string[] }[] = [{ here: model, path: [] }]
  for (let depth = 0; depth < 3; depth += 1) {
    level = level.flatMap(({ here, path }) =>
      [...here.steps].flatMap(([name, step]) =>
        step.kind === 'foreignKey' && !name.startsWith('_') ? [{ here: step.to, path: [...path, name] }] : [],
      ),
    )
    const found = level.find(({ here }) => here.name === 'tenancy.tenant')
    if (found) return found.path
  }
  return undefined
}
