import type { Fields } from '../../schema/field.ts'
import type { Definition } from '../../schema/model.ts'
import {
  cabled,
  cabledFilters,
  cablePosition,
  connectedEndpoints,
  linkPeers,
  occupied,
  pathFilters,
  pathStart,
} from './cabling/cabled.ts'
import { CABLING } from './cabling/cabling-lock.ts'
import { component, labelled, ofDeviceOrModule } from './component.ts'

type CabledComponent<Own> = Pick<Definition, 'name' | 'path' | 'labels'> &
  Pick<Partial<Definition>, 'filters'> & {
    /** Fields between the label and the cable. */
    readonly fields: Own
  }

const BRIEF = ['id', 'url', 'display', 'device', 'name', 'description', 'cable', '_occupied']

/** `dcim.frontport` → `frontports`. */
const relatedName = (model: string): string => `${model.slice(model.indexOf('.') + 1)}s`

/**
 * A component (see `component`) through which cable paths pass. Its fields are device, module, name, label, `fields`
 * and those of a cable.
 */
export const passThroughPort = <const Own extends Fields>({
  fields,
  filters,
  ...rest
}: CabledComponent<Own>) =>
  component({
    brief: BRIEF,
    // Several requests may connect parts of one path, so each request must see the changes of the others.
    lock: CABLING,
    ...rest,
    fields: {
      ...ofDeviceOrModule(relatedName(rest.name)),
      ...labelled,
      ...fields,
      ...cabled,
      ...linkPeers(rest.name),
    },
    derived: { _occupied: occupied, ...cablePosition },
    filters: { ...cabledFilters, ...filters },
  })

/** A component like those of `passThroughPort`, but one at which cable paths start and end. */
export const pathEndpoint = <const Own extends Fields>({
  fields,
  filters,
  ...rest
}: CabledComponent<Own>) =>
  component({
    brief: BRIEF,
    ...rest,
    fields: {
      ...ofDeviceOrModule(relatedName(rest.name)),
      ...labelled,
      ...fields,
      ...cabled,
      ...linkPeers(rest.name),
      ...connectedEndpoints(rest.name),
    },
    derived: { _occupied: occupied, ...pathStart },
    filters: { ...cabledFilters, ...pathFilters, ...filters },
  })
