import type { Fields } from '../../schema/field.ts'
import type { Definition } from '../../schema/model.ts'
import {
  CABLING,
  cabled,
  cabledFilters,
  cablePosition,
  connectedEndpoints,
  linkPeers,
  occupied,
  pathFilters,
  pathStart,
} from './cabling/cabled.ts'
import { component, labelled, ofDeviceOrModule } from './component.ts'

type CabledComponent<Own> = Pick<Definition, 'name' | 'path' | 'labels'> &
  Pick<Partial<Definition>, 'filters' | 'graphql'> & {
    /** Fields between the label and the cable. */
    readonly fields: Own
  }

const BRIEF = ['id', 'url', 'display', 'device', 'name', 'description', 'cable', '_occupied']

/** `dcim.frontport` → `frontports`. */
const relatedName = (model: string): string => `${model.slice(model.indexOf('.') + 1)}s`

/** The part of a cabled component that depends on its place in cable paths. */
interface PathPart<Shown, Derived> {
  /** Fields after those of the cable. */
  readonly shown: Shown
  readonly derived: Derived
  readonly filters?: Definition['filters']
  readonly lock?: string
}

/** A component (see `component`) with the fields device, module, name, label, `fields` and those of a cable. */
const cabledComponent = <const Own extends Fields, const Shown extends Fields, const Derived extends Fields>(
  { fields, filters, ...definition }: CabledComponent<Own>,
  { shown, derived, filters: pathFilters, ...lock }: PathPart<Shown, Derived>,
) =>
  component({
    brief: BRIEF,
    ...lock,
    ...definition,
    fields: {
      ...ofDeviceOrModule(relatedName(definition.name)),
      ...labelled,
      ...fields,
      ...cabled,
      ...linkPeers(definition.name),
      ...shown,
    },
    derived: { _occupied: occupied, ...derived },
    filters: { ...cabledFilters, ...pathFilters, ...filters },
  })

/** A cabled component through which cable paths pass. */
export const passThroughPort = <const Own extends Fields>(declaration: CabledComponent<Own>) =>
  cabledComponent(declaration, {
    shown: {},
    derived: cablePosition,
    // Several requests may connect parts of one path, so each request must see the changes of the others.
    lock: CABLING,
  })

/** A cabled component at which cable paths start and end. */
export const pathEndpoint = <const Own extends Fields>(declaration: CabledComponent<Own>) =>
  cabledComponent(declaration, {
    shown: connectedEndpoints(declaration.name),
    derived: pathStart,
    filters: pathFilters,
  })
