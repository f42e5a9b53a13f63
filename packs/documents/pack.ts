/** A document is a file or a link, and is named after it. */
import { behaviourOf, type ColumnOf, derived, packCode, sql } from 'cadastre'

export const DOCUMENT = 'netbox_documents.document'

/** The plugin stores files under the id of their object and their name. */
const filename = (
  column: ColumnOf,
) => sql`case when coalesce(${column('document')}, '') = '' then ${column('external_url')}
  else regexp_replace(${column('document')}, '^.*/(' || ${column('object_id')} || '_)?', '') end`

export default packCode({
  fields: { [DOCUMENT]: { filename: derived('text', filename, { label: 'File name' }) } },
  models: { [DOCUMENT]: { display: (column) => sql`coalesce(nullif(${column('name')}, ''), ${filename(column)})` } },
  behaviours: [
    behaviourOf(DOCUMENT, {
      modelRules: [
        ({ next: { document, external_url: link } }) => {
          const hasFile = document !== '' && document !== null
          if (hasFile && link !== '') return { external_url: 'A document has a file or a link, not both.' }
          return hasFile || link !== '' ? undefined : { document: 'A document needs a file or a link.' }
        },
      ],
    }),
  ],
})
