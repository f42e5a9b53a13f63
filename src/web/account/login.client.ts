import { settleSentDraft } from '../forms/draft.client.ts'

// The login page after the end of a session: what was sent last is offered again.

settleSentDraft()
