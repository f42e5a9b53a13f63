import { type Content, html } from '../../pages/html.ts'
import { attributesPanel, panel } from '../../pages/objects/panel.ts'
import { valueDisplay } from '../../pages/objects/value.ts'
import { pluralTitleOf } from '../../schema/class-name.ts'
import type { JsonObject } from '../../schema/json.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import type { FieldGroup } from '../../schema/view.ts'
import type { ApiRequest } from '../api-request.ts'
import type { HttpResponse } from '../response.ts'
import { displayOptionsOf } from './display-options.ts'
import { fieldAt, fieldLabel } from './field-label.ts'
import { readOne } from './inner-request.ts'
import { objectHeading } from './object-heading.ts'
import type { PageFrame } from './page-frame.ts'
import { valueAt, valuesAt } from './path-values.ts'

/** GET of an object: its panels. */
export async function objectPage(
  frame: PageFrame,
  request: ApiRequest,
  model: Model,
): Promise<HttpResponse> {
  const { object } = await readOne(request, model)
  const { panels } = request.service.registry.view(model)
  const columns = await panelsOf(request, model, object, panels)
  const heading = await objectHeading(request, model, object)
  return await frame(request, {
    title: String(object.display),
    model,
    styles: ['objects.css'],
    breadcrumbs: [
      { label: pluralTitleOf(model), path: pagePathOf(model) ?? '/' },
      { label: String(object.display), path: `${pagePathOf(model)}${object.id}/` },
    ],
    body: html`${heading}
<div class="panels">${columns.map((column) => html`<div>${column}</div>`)}</div>`,
  })
}

async function panelsOf(
  request: ApiRequest,
  model: Model,
  object: JsonObject,
  columns: readonly (readonly FieldGroup[])[],
): Promise<readonly Content[]> {
  const { registry } = request.service
  const paths = columns.flat().flatMap(({ fields }) => fields)
  const values = await valuesAt(request, model, [object], paths)
  const around = await displayOptionsOf(request, [
    object,
    ...[...values.values()].flatMap((each) => [...each.values()]),
  ])
  const [first = [], ...others] = columns.map((groups) =>
    groups.map(({ label, fields }) =>
      attributesPanel(
        label,
        fields.map((path) => ({
          label: fieldLabel(registry, model, path),
          value: valueDisplay(
            fieldAt(registry, model, path),
            valueAt(values, object, path),
            around,
          ),
        })),
      ),
    ),
  )
  const tags =
    object.tags === undefined ? [] : [panel('Tags', valueDisplay(undefined, object.tags, around))]
  return [[...first, ...tags], ...others]
}
