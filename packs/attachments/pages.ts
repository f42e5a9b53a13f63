/** The files of an object in a tab, and the earlier versions of a file. */
import { type ApiRequest, invalid, mayAct, pagePathOf, readerOf, sql, table, writeWith } from 'cadastre'
import {
  fileList,
  filePath,
  filesTab,
  html,
  type ObjectPart,
  type ObjectTab,
  type PageObject,
  packPages,
  translate,
  uploadForm,
  visibleObjects,
} from 'cadastre/web'
import { ASSIGNMENT, ATTACHMENT } from './pack.ts'

const tab: ObjectTab = {
  // Parts of devices have hardly any files, and a tab less to look at.
  models: (model) => model.has('journaling') && !model.definition.visibleWith,
  path: 'files',
  label: () => translate('Files'),
  methods: 'GET POST',
  list: (registry, { name }, { id }) => ({
    model: registry.model(ASSIGNMENT),
    query: new URLSearchParams({ object_type: name, object_id: String(id) }),
  }),
  isCounted: true,
  load: async (page) => {
    const { request, model, object } = page
    const path = `${request.service.settings.basePath}${pagePathOf(model)}${object.id}/files/`
    return await filesTab(request, path, {
      store: ({ text, files }) =>
        writeWith(request, async ({ create }) => {
          const bodies = files('file').map((file) => ({ file, description: text('description') }))
          if (bodies.length === 0) throw invalid({ file: ['No file was submitted.'] })
          const attachments = await create(ATTACHMENT, bodies)
          const object_type = model.name
          await create(
            ASSIGNMENT,
            attachments.map((attachment) => ({ attachment, object_type, object_id: object.id })),
          )
        }),
      content: (refusal) => content(page, refusal),
    })
  },
}

async function content({ request, model, object }: PageObject, refusal: string | undefined) {
  const { service, actor } = request
  const { registry, settings } = service
  const rows = await readerOf(request).rows<[id: number]>(sql`
    select a.attachment_id from ${table(ASSIGNMENT)} a
    where a.object_type = ${model.name} and a.object_id = ${Number(object.id)}::bigint and a.attachment_id is not null
    order by a.id`)
  const attachment = registry.model(ATTACHMENT)
  const ids = rows.map(([id]) => Number(id))
  const objects = await visibleObjects(request, attachment, ids, [
    'name',
    'file',
    'size',
    'description',
    'last_updated',
  ])
  const files = ids.flatMap((id) => {
    const file = objects.get(id)
    if (!file) return []
    return {
      ...{
        name: String(file.name),
        description: String(file.description ?? ''),
        address: filePath(request, file.file),
      },
      page: `${settings.basePath}${pagePathOf(attachment)}${id}/`,
      ...(typeof file.size === 'number' && { size: file.size }),
      facts: [html`<time>${String(file.last_updated).slice(0, 10)}</time>`],
    }
  })
  const mayAdd = [ATTACHMENT, ASSIGNMENT].every((name) => mayAct(actor, 'add', registry.model(name), settings))
  const form = uploadForm({
    ...{ request, refusal, field: 'file', isMultiple: true },
    ...{ title: translate('Add files'), button: translate('Add files') },
    fields: html`<label>${translate('Description')} <input type="text" name="description" maxlength="200"></label>`,
  })
  return html`${fileList(files)}${mayAdd && form}`
}

/** At most this many earlier versions are shown. */
const SHOWN = 50

/** The earlier versions of a file, as the history has them. */
const versions: ObjectPart = {
  models: [ATTACHMENT],
  load: async ({ request, object }) => {
    const rows = await earlierFiles(request, Number(object.id))
    if (rows.length === 0) return {}
    return {
      right: html`<section class="card"><h2>${translate('Earlier versions')}</h2>${fileList(
        rows.map(([path, size, change, until]) => ({
          name: path.replace(/^.*\//, ''),
          address: `${request.service.settings.basePath}/media/${path.split('/').map(encodeURIComponent).join('/')}?as_of=${encodeURIComponent(until)}`,
          page: `${request.service.settings.basePath}/core/changelog/${change}/`,
          ...(size !== null && { size: Number(size) }),
          facts: [html`<time>${until.slice(0, 10)}</time>`],
        })),
      )}</section>`,
      styles: ['object.css'],
    }
  },
}

/** Path, size, change that replaced it, and the last time at which it was current. */
const earlierFiles = (request: ApiRequest, id: number) =>
  readerOf(request).rows<[path: string, size: string | null, change: number, until: string]>(sql`
    select c.prechange_data ->> 'file', c.prechange_data ->> 'size', c.id,
      to_char((c.time - interval '1 millisecond') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
    from ${table('core.objectchange')} c
    where c.changed_object_type = ${ATTACHMENT} and c.changed_object_id = ${id}::bigint and c.action = 'update'
      and c.prechange_data ->> 'file' <> c.postchange_data ->> 'file'
    order by c.id desc limit ${SHOWN}`)

export default packPages({ tabs: [tab], parts: [versions] })
