import type { Definition } from '../schema/model.ts'
import type { Behaviour } from '../schema/rule.ts'
import type { DeclaredView, RegisteredModel } from '../schema/view.ts'
import { CIRCUITS } from './circuits/index.ts'
import { CORE } from './core/index.ts'
import { DCIM } from './dcim/index.ts'
import { EXTRAS } from './extras/index.ts'
import { IPAM } from './ipam/index.ts'
import { TENANCY } from './tenancy/index.ts'
import { USERS } from './users/index.ts'
import { VIRTUALIZATION } from './virtualization/index.ts'
import { VPN } from './vpn/index.ts'
import { WIRELESS } from './wireless/index.ts'

const REGISTERED: readonly RegisteredModel[] = [
  ...CIRCUITS,
  ...CORE,
  ...DCIM,
  ...EXTRAS,
  ...IPAM,
  ...TENANCY,
  ...USERS,
  ...VIRTUALIZATION,
  ...VPN,
  ...WIRELESS,
]

/** Every model, by app. */
export const MODELS: readonly Definition[] = REGISTERED.map(({ model }) => model)

/** Behaviour of the models beyond their declarations. */
export const BEHAVIOURS: readonly Behaviour[] = REGISTERED.flatMap(({ behaviour }) => behaviour ?? [])

/** How the objects of each model are shown and edited. */
export const VIEWS: readonly DeclaredView[] = REGISTERED.flatMap(({ view }) => view ?? [])
