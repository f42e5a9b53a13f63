import { DEFINITIONS_CACHING } from '../../db/cache/cache.ts'
import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'
import { type ChoicePair, choicesOf } from '../../schema/published-choices.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Service } from '../../service.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { humanize } from '../components/humanize.ts'
import { renderedMarkdown } from '../components/markdown.ts'
import { type Attribute, attributesPanel } from '../components/panel.ts'
import { type DisplayOptions, EMPTY, valueDisplay } from '../components/value.ts'
import { type Content, html } from '../html.ts'
import { translate } from '../texts/translate.ts'

interface DefinitionRow extends Record<string, unknown> {
  readonly name: string
  readonly label: string
  readonly group_name: string
  readonly type: string
  readonly ui_visible: string
  /** Model of the objects that it refers to. */
  readonly related: string | null
  readonly base: string | null
  readonly extra: readonly ChoicePair[] | null
  /** Colours by value, as JSON. */
  readonly colours: string | null
}

/** A custom field of a model. */
export interface CustomFieldDefinition extends DefinitionRow {
  readonly choices: readonly ChoicePair[]
}

/** A panel for each group of the model's custom fields that has anything to show. */
export async function customFieldPanels(
  service: Service,
  model: Model,
  { custom_fields: values }: JsonObject,
  options: DisplayOptions,
): Promise<readonly Content[]> {
  if (!isJsonObject(values) || Object.keys(values).length === 0) return []
  const displayed = (await definitionsOf(service, model)).filter(
    ({ name, ui_visible: visible }) => visible === 'always' || (visible === 'if-set' && !isUnset(values[name])),
  )
  return [...Map.groupBy(displayed, (field) => field.group_name)]
    .filter(([, fields]) => fields.some(({ name }) => !isUnset(values[name])))
    .map(([group, fields]) =>
      attributesPanel(
        group === '' ? translate('Custom fields') : group,
        fields.map((field) => attributeOf(field, values[field.name], options)),
      ),
    )
}

const attributeOf = (field: CustomFieldDefinition, value: Json | undefined, options: DisplayOptions): Attribute => ({
  label: field.label || humanize(field.name),
  value: customValue(field, value, options),
})

/** A value of a custom field, in readable form. */
export function customValue(field: CustomFieldDefinition, value: Json | undefined, options: DisplayOptions): Content {
  if (isUnset(value)) return EMPTY
  switch (field.type) {
    case 'longtext':
      return renderedMarkdown(String(value))
    case 'json':
      return html`<pre class="document" tabindex="0">${JSON.stringify(value, null, 2)}</pre>`
    case 'url':
      return /^https?:\/\//i.test(String(value))
        ? html`<a href="${String(value)}" rel="noreferrer">${String(value)}</a>`
        : html`<bdi>${String(value)}</bdi>`
    case 'select':
    case 'multiselect':
      return [value ?? null].flat().map((choice) => choiceOf(field, String(choice)))
    default:
      return valueDisplay(undefined, value, options)
  }
}

function choiceOf({ choices, colours }: CustomFieldDefinition, value: string): Content {
  const label = choices.find(([choice]) => choice === value)?.[1] ?? value
  const byValue: unknown = JSON.parse(colours ?? '{}')
  const colour = isJsonObject(byValue) ? byValue[value] : undefined
  return typeof colour === 'string'
    ? html`<span class="badge ${colour}"><bdi>${label}</bdi></span> `
    : html`<span class="item"><bdi>${label}</bdi></span> `
}

const isUnset = (value: Json | undefined): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

/** The custom fields of the model that its pages show. */
export const definitionsOf = ({ database, cache }: Service, model: Model): Promise<readonly CustomFieldDefinition[]> =>
  cache.get(
    `panels of custom fields of ${model.name}`,
    async () => {
      const rows = await database.query<DefinitionRow>(sql`
        select f.name, f.label, f.group_name, f.type, f.ui_visible, f.related_object_type as related, s.base_choices as base, s.extra_choices as extra,
          s.choice_colors as colours
        from ${table(SYSTEM.customField)} f left join ${table(SYSTEM.customFieldChoiceSet)} s on s.id = f.choice_set_id
        where ${model.name} = any(f.object_types) and f.ui_visible <> 'hidden'
        order by f.group_name, f.weight, f.name`)
      return await Promise.all(rows.map(async (row) => ({ ...row, choices: await choicesOf(row.base, row.extra) })))
    },
    DEFINITIONS_CACHING,
  )
