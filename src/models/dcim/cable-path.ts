import { boolean, json, list } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'

/**
 * The path from a set of origins through cables and pass-through ports. `path` is a list of steps, each a list of nodes
 * written `app.model:id`; `_nodes` has the same nodes in one list, which is searched for the paths through an object.
 */
export const cablePath = model({
  name: 'dcim.cablepath',
  labels: ['cable path', 'cable paths'],
  page: false,

  fields: {
    path: json({ default: [] }),
    is_active: boolean({ default: false }),
    is_complete: boolean({ default: false }),
    is_split: boolean({ default: false }),
    _nodes: list('text', { default: [], hidden: true, isSearched: true }),
  },

  display: 'Path {id}',
  brief: ['id', 'display'],
  order: ['id'],
  private: true,
  hasHistory: true,
})
