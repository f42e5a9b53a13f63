import { DEFINITIONS_CACHING } from '../../db/cache/cache.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
import { namesInBody } from '../../schema/generic-keys.ts'
import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Service } from '../../service.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { type Content, html } from '../components/html.ts'
import { offersMethod } from '../components/offered-methods.ts'
import { linkMenu } from '../lists/menu.ts'
import { mayActOn } from '../lists/visible-objects.ts'
import { translate } from '../texts/translate.ts'
import { customLinksLink } from './custom-links.ts'
import { markForms } from './marks.ts'
import type { RequestedObject } from './object-content.ts'

/** Buttons of an object's pages: edit, clone, custom links, bookmark, subscribe, delete, its JSON. */
export async function objectButtons({ request, model, object }: RequestedObject, further: Content): Promise<Content> {
  const { actor, service } = request
  const { settings } = service
  const may = (action: 'change' | 'delete') => mayActOn(request, action, model, Number(object.id))
  const list = `${settings.basePath}${pagePathOf(model)}`
  const page = `${list}${object.id}/`
  const clone =
    offersMethod(model, 'POST') && mayAct(actor, 'add', model, settings)
      ? await cloneQuery(service, model, object)
      : undefined
  const [mayChange, mayDelete] = await Promise.all([
    offersMethod(model, 'PATCH') && may('change'),
    offersMethod(model, 'DELETE') && may('delete'),
  ])
  return html`<div class="actions">
${mayChange && html`<a class="button" data-key="e" href="${page}edit/">${translate('Edit')}</a>`}
${further}
${await customLinksLink(request, model, page)}
${await markForms({ request, model, object })}
${linkMenu(
  translate('More actions'),
  [
    ...(clone ? [{ label: translate('Clone'), href: `${list}add/?${String(clone)}` }] : []),
    { label: 'API', href: `${settings.basePath}/api/${model.path}/${Number(object.id)}/` },
    ...(mayDelete ? [{ label: translate('Delete'), href: `${page}delete/`, isDangerous: true }] : []),
  ],
  { icon: 'more' },
)}
</div>`
}

/** Initial values of the form for a copy of the object; undefined for models that cannot be cloned. */
async function cloneQuery(service: Service, model: Model, object: JsonObject): Promise<URLSearchParams | undefined> {
  if (!model.has('cloning')) return undefined
  const { cloned = [] } = service.registry.view(model)
  const query = new URLSearchParams()
  const add = (name: string, value: Json | undefined): void => {
    for (const each of [value ?? null].flat()) {
      const text = textOf(each)
      if (text !== '') query.append(name, text)
    }
  }
  for (const name of cloned.flatMap((each) => namesInBody(model, each))) add(name, object[name])
  if ('tags' in object) add('tags', object.tags)
  const custom = isJsonObject(object.custom_fields) ? object.custom_fields : {}
  for (const name of await cloneableCustomFields(service, model)) {
    add(`cf_${name}`, custom[name])
  }
  return query
}

/** A value in the form for a form field: the id of an object, the value of a choice. */
function textOf(value: Json): string {
  if (isJsonObject(value)) {
    const key = value.id ?? value.value
    return key === undefined ? JSON.stringify(value) : String(key)
  }
  return value === null ? '' : String(value)
}

const cloneableCustomFields = async ({ cache, database }: Service, model: Model): Promise<readonly string[]> =>
  model.fields.has('custom_fields')
    ? await cache.get(
        `cloned custom fields of ${model.name}`,
        async () => {
          const rows = await database.query<{ name: string }>(
            sql`select name from ${table(SYSTEM.customField)} where is_cloneable and ${model.name} = any(object_types)`,
          )
          return rows.map(({ name }) => name)
        },
        DEFINITIONS_CACHING,
      )
    : []
