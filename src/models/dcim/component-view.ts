import type { Fields } from '../../schema/field.ts'
import type { Definition } from '../../schema/model.ts'
import { type NameOf, type RegisteredModel, type Registration, registered, titled, words } from '../../schema/view.ts'

/** Filters of a device's components by the place and the properties of the device. */
export const PLACE_FILTERS = {
  Location: words('region_id site_group_id site_id location_id rack_id'),
  Device: words('tenant_id device_type_id device_role_id device_id device_status virtual_chassis_id'),
}

interface CabledView<F extends Fields> extends Partial<Registration<F>> {
  /** The model's own fields between label and description. */
  readonly fields: readonly NameOf<F>[]
  /** Filters by them. */
  readonly filtered: readonly NameOf<F>[]
}

/** The view of a component that can be cabled: device, module, name, label, its specific `fields`, description. */
export function cabledModel<F extends Fields>(
  model: Definition<F>,
  { fields, filtered, labels, ...differences }: CabledView<F>,
): RegisteredModel {
  return registered<Fields, string>(model, {
    context: ['device'],
    columns: ['name', 'device', 'label', ...fields, 'description'],
    moreColumns: words(`
      id module.module_bay module mark_connected cable cable.color link_peers tags created
      last_updated device.location device.site device.status
    `),
    labels: {
      'module.module_bay': 'Module Bay',
      ...titled('mark_connected cable.color link_peers device.location device.site device.status'),
      ...labels,
    },
    panels: ['device', 'module', 'name', 'label', ...fields, 'description'],
    form: [...words('device module name label'), ...fields, ...words('mark_connected description tags')],
    narrowedBy: { module: { device_id: 'device' } },
    filters: {
      Attributes: ['name', 'label', ...filtered],
      ...PLACE_FILTERS,
      Connection: words('cabled connected occupied'),
    },
    search: { shown: words('device label type description') },
    ...differences,
  })
}
