import { bodyText } from '../../api/response.ts'
import { isJsonObject, objectsIn } from '../../schema/json.ts'
import { panel } from '../components/panel.ts'
import { translate } from '../texts/translate.ts'
import { askApi } from './ask-api.ts'
import type { ObjectPart } from './object-content.ts'
import { inlineDrawing } from './trace-tab.ts'

/** The path that leads through a cable, from the first of its ends at which one can begin. */
export const cablePathPart: ObjectPart = {
  models: ({ fields }) => fields.has('a_terminations'),
  load: async ({ routes, request, object }) => {
    const ends = [...objectsIn(object.a_terminations), ...objectsIn(object.b_terminations)]
    for (const end of ends) {
      const url = isJsonObject(end.object) ? String(end.object.url) : ''
      const path = `${url.slice(request.base.length + '/api/'.length)}trace/`
      if (url === '' || !routes.find(`/api/${path}`)?.endpoint.isTrace) continue
      const query = new URLSearchParams({ render: 'svg', width: '480' })
      const drawing = bodyText(await askApi(routes, request, { path, query }))
      return { right: panel(translate('Path'), inlineDrawing(drawing)), styles: ['drawings.css'] }
    }
    return {}
  },
}
