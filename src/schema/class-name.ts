import { oncePer } from './once-per.ts'
import type { Model } from './registry.ts'

/** The model's class name as API messages use it: `CircuitGroup`, `IPAddress`. */
export const className = (model: Model): string => model.definition.className ?? titleOf(model).replaceAll(' ', '')

/** Apps whose title is not the capitalised key. */
const APP_TITLES: Readonly<Record<string, string>> = { dcim: 'DCIM', ipam: 'IPAM', vpn: 'VPN' }

/** Title of the model's app or plugin: `DCIM`, `Tenancy`. */
export const appTitleOf = ({ app, plugin }: Model): string =>
  plugin?.label ?? APP_TITLES[app] ?? `${app.charAt(0).toUpperCase()}${app.slice(1)}`

/** The label in title case: `Circuit Group`, `IP Address`. */
export const titleOf: (model: Model) => string = oncePer(({ definition }) => capitalised(definition.labels[0]))

/** The plural label in title case: `Circuit Groups`, `IP Addresses`. */
export const pluralTitleOf: (model: Model) => string = oncePer(({ definition }) => capitalised(definition.labels[1]))

const capitalised = (label: string): string => label.replace(/(^|[ -])\p{L}/gu, (initial) => initial.toUpperCase())
