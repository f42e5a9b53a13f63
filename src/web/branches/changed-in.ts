import { BRANCH, branchedModels, branchedTables } from '../../db/branches/branch-tables.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { mainOf } from '../../service.ts'
import { identifier, sql } from '../../sql/fragment.ts'
import { systemTable } from '../../sql/table.ts'
import { icon } from '../components/icon.ts'
import type { ObjectPart } from '../frame/object-content.ts'
import { html } from '../html.ts'
import { translateMarkup } from '../texts/translate.ts'

/** Part of an object's page: the open branches that change it, except the current one. */
export const changedInPart: ObjectPart = {
  models: ({ name }) => name !== SYSTEM.branch,
  load: async ({ request, model, object }) => {
    const { service, branches } = request
    const main = mainOf(service)
    const otherBranches = branches?.open.filter(({ id }) => id !== service.branch?.id) ?? []
    const overlay = branchedModels(main.registry).has(model.name)
      ? branchedTables(main.registry).get(model.table)?.overlay
      : undefined
    if (otherBranches.length === 0 || overlay === undefined || service.isPast) return {}
    const ids = await main.database.queryColumn(sql`
      select o.${identifier(BRANCH)} from ${systemTable(overlay)} o
      where o.${identifier(BRANCH)} = any(${otherBranches.map(({ id }) => id)}::bigint[]) and o.id = ${Number(object.id)}::bigint`)
    const changing = otherBranches.filter(({ id }) => ids.some((candidate) => Number(candidate) === id))
    if (changing.length === 0) return {}
    const list = `${service.settings.basePath}${pagePathOf(main.registry.model(SYSTEM.branch))}`
    const links = changing.map(
      ({ id, name }, index) => html`${index > 0 && ', '}<a href="${list}${id}/changes/"><bdi>${name}</bdi></a>`,
    )
    const text =
      changing.length === 1 ? 'Changed in the open branch {branches}' : 'Changed in the open branches {branches}'
    return { top: html`<p class="notice">${icon('branch')} ${translateMarkup(text, { branches: html`${links}` })}</p>` }
  },
}
