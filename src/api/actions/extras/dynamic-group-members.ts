import { notFound } from '../../../base/errors.ts'
import { SYSTEM } from '../../../schema/system-models.ts'
import { sql } from '../../../sql/fragment.ts'
import { listObjects } from '../../verbs/list.ts'
import { ANY_OBJECT, action } from '../action.ts'
import { findTarget } from '../target.ts'

/**
 * GET /api/extras/dynamic-groups/<id>/members/: the list of the group's object type, restricted to the members. Takes
 * the parameters of that list.
 */
export const dynamicGroupMembers = action({
  path: 'extras/dynamic-groups/:id/members',
  title: 'Dynamic Group Members',
  methods: {
    GET: {
      permission: { view: SYSTEM.dynamicGroup },
      answer: ANY_OBJECT,
      verb: 'list',
      summary: 'List the objects that are members of a dynamic group.',
      handle: async (request) => {
        const group = await findTarget<{ object_type: string }>(request, SYSTEM.dynamicGroup, {
          columns: sql`, t.object_type`,
        })
        const model = request.service.registry.models.get(group.object_type)
        if (!model) throw notFound(group.object_type)
        const search = new URLSearchParams(request.search)
        search.set('dynamic_group_id', String(group.id))
        return await listObjects({ ...request, search }, model)
      },
    },
  },
})
