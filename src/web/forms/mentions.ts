import type { ApiRequest } from '../../api/api-request.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { type Content, html } from '../html.ts'

/** Attribute of a text area in which users are mentioned: `mentions.client.ts` offers those that the reader may view. */
export const mentionsUsers = ({ service, actor }: ApiRequest): Content =>
  mayAct(actor, 'view', service.registry.model(SYSTEM.user), service.settings) && html` data-mentions`
