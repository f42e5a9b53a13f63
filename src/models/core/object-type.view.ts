import { fieldGroup, modelView, words } from '../../schema/view.ts'

export const objectTypeView = modelView('core.objecttype', {
  columns: words(`
    display app_label app_name model model_name model_name_plural public features is_plugin_model
    rest_api_endpoint description
  `),
  panels: [
    [
      fieldGroup(
        'Object type',
        `
          app_label app_name model model_name model_name_plural public features is_plugin_model
          rest_api_endpoint description
        `,
      ),
    ],
  ],
})
