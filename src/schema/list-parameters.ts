import { words } from './view.ts'

/** Parameters of lists that select no objects: order, slice, and form of the response. */
export const LIST_PARAMETERS: readonly string[] = words(
  'ordering limit offset start count fields omit exclude brief format export',
)

/** Parameters of lists of the web pages in the form of the reference, which pages convert to the API's. */
export const REFERENCE_PARAMETERS = ['sort', 'page', 'per_page'] as const

/** Parameters of the pages with lists: how the objects are grouped, the saved view, and the columns. */
export const PAGE_PARAMETERS: readonly string[] = words('group_by view_id columns tableconfig_id empty_columns')

/** Parameters of the page to which a form leads, for its sentence about the action. */
export const EFFECT_PARAMETERS = ['saved', 'saved_id', 'saved_count', 'saved_model', 'saved_request'] as const

/** Parameters that say where, when and how a request reads or writes. */
const REQUEST_PARAMETERS = words('as_of branch filter filter_id dry_run background match indent q')

/** All parameters of requests for objects that are not filters by a field: no field may have such a name. */
export const PARAMETERS_OF_REQUESTS: readonly string[] = [
  ...LIST_PARAMETERS,
  ...REFERENCE_PARAMETERS,
  ...PAGE_PARAMETERS,
  ...EFFECT_PARAMETERS,
  ...REQUEST_PARAMETERS,
]
