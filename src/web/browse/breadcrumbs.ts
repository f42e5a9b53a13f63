import { appTitleOf, pluralTitleOf } from '../../schema/class-name.ts'
import type { Registry } from '../../schema/registry.ts'
import { rootPathOf } from '../../schema/root-path.ts'
import { humanize } from '../forms/fields/humanize.ts'
import type { Crumb } from '../frame/page.ts'

/**
 * Links to the ancestors of a path below the base path, one per segment. `last` is the label of the last one, if
 * known.
 */
export function breadcrumbsOf(registry: Registry, path: string, last: string | undefined): Crumb[] {
  const segments = path.split('/').filter((segment) => segment !== '')
  return segments.map((segment, index) => {
    const here = `/${segments.slice(0, index + 1).join('/')}/`
    const isLast = index === segments.length - 1
    return { path: here, label: (isLast ? last : undefined) ?? labelOf(registry, here, segment) }
  })
}

function labelOf(registry: Registry, path: string, segment: string): string {
  if (path === '/api/') return 'API'
  for (const model of registry.models.values()) {
    if (model.path === '') continue
    if (path === `/api/${model.path}/`) return pluralTitleOf(model)
    if (path === `/api/${rootPathOf(model)}/`) return appTitleOf(model)
  }
  return /^\d+$/.test(segment) ? `#${segment}` : humanize(segment)
}
