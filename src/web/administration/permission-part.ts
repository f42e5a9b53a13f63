import { SYSTEM } from '../../schema/system-models.ts'
import { constraintProblems } from '../forms/constraint-problems.ts'
import type { ObjectPart } from '../frame/object-content.ts'
import { html } from '../html.ts'
import { translate } from '../texts/translate.ts'

/** Warning about object types of which a permission grants nothing, because its constraints do not fit them. */
export const permissionPart: ObjectPart = {
  models: [SYSTEM.objectPermission],
  load: async ({ request, object }) => {
    const problems = await constraintProblems(request, object)
    return {
      left:
        problems.length > 0 &&
        html`<div class="notice warn"><p>${translate('The constraints do not fit all object types, so the permission grants nothing on some of them.')}</p><ul>${problems.map((problem) => html`<li>${problem}</li>`)}</ul></div>`,
    }
  },
}
