import type { Segment } from '../../api/actions/dcim/follow-path.ts'
import { drawPath, segmentTexts } from '../../api/actions/dcim/trace.ts'
import { nodeOf } from '../../models/dcim/cabling/cabled-object.ts'
import { type Json, objectsIn } from '../../schema/json.ts'
import { words } from '../../schema/view.ts'
import { CABLING_MODELS } from '../cabling/cabling-models.ts'
import { inlineDrawing } from '../cabling/trace-tab.ts'
import { visibleObjects } from '../data/page-objects.ts'
import { html } from '../html.ts'
import { translate } from '../texts/translate.ts'
import type { PictureKind } from './pictures.ts'

const WIDTH = 400

/** The cables that a branch connects, moves, changes in their appearance, or removes, with their ends. */
export const cablePictures: PictureKind = {
  heading: () => translate('Cables before and after'),
  model: CABLING_MODELS.cable,
  fields: {
    [CABLING_MODELS.cable]: words('a_terminations b_terminations type status label color length length_unit'),
  },
  objects: async (_, changes) => changes.map(({ id }) => id),
  draw: async (request, ids, { title }) => {
    const model = request.service.registry.model(CABLING_MODELS.cable)
    const cables = await visibleObjects(request, model, ids, ['id', 'display', 'a_terminations', 'b_terminations'])
    const segments = new Map(
      [...cables].map(([id, { a_terminations: a, b_terminations: b }]): [number, Segment] => [
        id,
        [nodesOf(a), [nodeOf(model.name, id)], nodesOf(b)],
      ]),
    )
    const texts = await segmentTexts(request, [...segments.values()])
    return new Map(
      [...segments].map(([id, segment]) => {
        const drawing = inlineDrawing(drawPath(request, { segments: [segment], texts }, WIDTH))
        const picture = html`<div><h4>${title}</h4>${drawing}</div>`
        return [id, { name: String(cables.get(id)?.display), picture }]
      }),
    )
  },
}

const nodesOf = (terminations: Json | undefined) =>
  objectsIn(terminations).map(({ object_type: type, object_id: id }) => nodeOf(String(type), Number(id)))
