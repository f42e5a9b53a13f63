/** Names of files, and the filters of the plugin. */
import {
  behaviourOf,
  custom,
  firstCharacters,
  holds,
  join,
  numberFilter,
  objectTypeFilter,
  packCode,
  reverse,
  sql,
  textContains,
  UploadedFile,
} from 'cadastre'

export const ATTACHMENT = 'netbox_attachments.netboxattachment'
export const ASSIGNMENT = 'netbox_attachments.netboxattachmentassignment'

/** Unlike that of other lists: the text contains one of the values. */
const contains = (path: string) =>
  custom({
    ...{ value: 'text', multiple: true, example: 'manual' },
    where: ({ column }, values) =>
      sql`(${join(
        values.map((value) => textContains(path)(column, String(value))),
        ' or ',
      )})`,
  })

export default packCode({
  fields: {
    [ATTACHMENT]: {
      assignments: reverse(ASSIGNMENT, 'attachment', {
        projection: ['id', 'url', 'display', 'attachment', 'object_type', 'object_id', 'parent'],
      }),
    },
  },
  models: {
    [ATTACHMENT]: {
      filters: {
        name: contains('name'),
        description: contains('description'),
        object_id: numberFilter('assignments.object_id'),
        object_type_id: objectTypeFilter('assignments.object_type', { byId: true, single: true }),
        // An assignment is deleted with its object.
        has_broken_assignments: holds(() => sql`false`),
      },
    },
    [ASSIGNMENT]: { filters: { object_type_id: objectTypeFilter('object_type', { byId: true }) } },
  },
  behaviours: [
    behaviourOf(ATTACHMENT, {
      normalize: [
        ({ next: { name, file } }) =>
          name === '' && file instanceof UploadedFile
            ? { name: firstCharacters(file.filename, 254) || 'file' }
            : undefined,
      ],
    }),
  ],
})
