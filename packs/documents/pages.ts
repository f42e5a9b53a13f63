/** The documents of an object in a tab. */
import { mayAct, pagePathOf, readerOf, sql, table, writeWith } from 'cadastre'
import {
  choiceLabel,
  choicesOf,
  fileList,
  filePath,
  filesTab,
  html,
  type ObjectTab,
  type PageObject,
  packPages,
  translate,
  translateLabel,
  uploadForm,
  visibleObjects,
} from 'cadastre/web'
import { DOCUMENT } from './pack.ts'

const tab: ObjectTab = {
  models: (model) => model.has('journaling') && !model.definition.visibleWith,
  path: 'documents',
  label: () => translate('Documents'),
  methods: 'GET POST',
  list: (registry, { name }, { id }) => ({
    model: registry.model(DOCUMENT),
    query: new URLSearchParams({ content_type: name, object_id: String(id) }),
  }),
  isCounted: true,
  load: async (page) => {
    const { request, model, object } = page
    const path = `${request.service.settings.basePath}${pagePathOf(model)}${object.id}/documents/`
    return await filesTab(request, path, {
      store: ({ text, files }) =>
        writeWith(request, async ({ create }) => {
          const link = text('external_url')
          const [name, document_type] = [text('name'), text('document_type')]
          const common = { name, document_type, content_type: model.name, object_id: object.id, external_url: link }
          const documents = files('document')
          await create(
            DOCUMENT,
            documents.length === 0 ? [common] : documents.map((document) => ({ ...common, document })),
          )
        }),
      content: (refusal) => content(page, refusal),
    })
  },
}

async function content({ request, model, object }: PageObject, refusal: string | undefined) {
  const { service, actor } = request
  const document = service.registry.model(DOCUMENT)
  const kindField = document.fields.get('document_type')
  const rows = await readerOf(request).rows<[id: number]>(sql`
    select d.id from ${table(DOCUMENT)} d
    where d.content_type = ${model.name} and d.object_id = ${Number(object.id)}::bigint order by d.name, d.id`)
  const ids = rows.map(([id]) => Number(id))
  const paths = ['display', 'document', 'external_url', 'document_type', 'size', 'comments']
  const objects = await visibleObjects(request, document, ids, paths)
  const files = ids.flatMap((id) => {
    const stored = objects.get(id)
    if (!stored) return []
    const label = choiceLabel(kindField, stored.document_type ?? null)
    return {
      name: String(stored.display),
      address: stored.document === null ? String(stored.external_url) : filePath(request, stored.document),
      page: `${service.settings.basePath}${pagePathOf(document)}${id}/`,
      ...(typeof stored.size === 'number' && { size: stored.size }),
      facts: label === undefined ? [] : [translateLabel(label)],
    }
  })
  const form = uploadForm({
    ...{ request, refusal, field: 'document', isMultiple: true, isRequired: false },
    ...{ title: translate('Add documents'), button: translate('Add documents') },
    fields: html`<label>${translate('Or a link')} <input type="url" name="external_url" maxlength="255"></label>
<label>${translate('Kind')} <select name="document_type">${choicesOf(kindField).map(
      ({ value, label }) =>
        html`<option value="${value}"${value === 'other' && html` selected`}>${translateLabel(label)}</option>`,
    )}</select></label>
<label>${translate('Name')} <input type="text" name="name" maxlength="100"></label>`,
  })
  return html`${fileList(files)}${mayAct(actor, 'add', document, service.settings) && form}`
}

export default packPages({ tabs: [tab] })
