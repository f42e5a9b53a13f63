/** Owner of the custom models, which users define while the service runs: their app, and their plugin. */
export const CUSTOM_MODELS_APP = 'custom_objects'

/** How the values of a PostgreSQL type become texts, and texts its values, as SQL. */
interface TextConversion {
  /** The text of a value, as responses show it. */
  readonly text: (value: string) => string
  /** Regular expression of the texts that `value` can convert without an error. */
  readonly form: string
  readonly value: (text: string) => string
}

const DAY_OF_YEAR = [
  '[0-9]{4}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))',
  '([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)-02-29',
].join('|')
const DATE = `(?!0000)(${DAY_OF_YEAR})`
const TIME = '([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]([.][0-9]{6})?'
const BYTE = '(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])'
const GROUPS = '[0-9a-f]{1,4}(:[0-9a-f]{1,4})*'
const NETWORK = [
  `(${BYTE}[.]){3}${BYTE}/(3[0-2]|[12]?[0-9])`,
  `(([0-9a-f]{1,4}:){7}[0-9a-f]{1,4}|(?=([0-9a-f]*:){2,7}[0-9a-f]*/)(${GROUPS})?::(${GROUPS})?)/(12[0-8]|1[01][0-9]|[1-9]?[0-9])`,
].join('|')

const plain = (value: string): string => `${value}::text`
const cast =
  (type: string) =>
  (text: string): string =>
    `${text}::${type}`

/** By PostgreSQL type. Texts in another form than that of responses are no values: they would not come back. */
export const TEXT_CONVERSIONS: ReadonlyMap<string, TextConversion> = new Map([
  [
    'bigint',
    {
      text: plain,
      form: '^(0|-?[1-9][0-9]{0,15})$',
      value: (text) => `(case when abs(${text}::bigint) <= ${Number.MAX_SAFE_INTEGER} then ${text}::bigint end)`,
    },
  ],
  [
    'numeric(19,4)',
    {
      text: (value) => `trim_scale(${value})::text`,
      form: '^(0|-?(0[.][0-9]{0,3}[1-9]|[1-9][0-9]{0,14}([.][0-9]{0,3}[1-9])?))$',
      value: cast('numeric(19,4)'),
    },
  ],
  ['boolean', { text: plain, form: '^(true|false)$', value: cast('boolean') }],
  ['date', { text: plain, form: `^(${DATE})$`, value: cast('date') }],
  [
    'timestamptz',
    {
      text: (value) => {
        const form = `'YYYY-MM-DD"T"HH24:MI:SS' || case when date_trunc('second', ${value}) = ${value} then '' else '.US' end`
        return `(to_char(${value} at time zone 'UTC', ${form}) || 'Z')`
      },
      form: `^(${DATE})T${TIME}Z$`,
      value: cast('timestamptz'),
    },
  ],
  ['inet', { text: plain, form: `^(${NETWORK})$`, value: cast('inet') }],
  ['cidr', { text: plain, form: `^(${NETWORK})$`, value: (text) => `network(${text}::inet)` }],
  [
    'macaddr',
    {
      text: (value) => `upper(${value}::text)`,
      form: '^([0-9A-F]{2}:){5}[0-9A-F]{2}$',
      value: cast('macaddr'),
    },
  ],
])

/** SQL of the text of a value of the type. */
export const textOfValue = (type: string, value: string): string => (TEXT_CONVERSIONS.get(type)?.text ?? plain)(value)

/** SQL of the value of a type that has the text; null if the text is no value of the type. */
export function valueOfText(type: string, text: string): string {
  const conversion = TEXT_CONVERSIONS.get(type)
  if (!conversion) return `${text}::${type}`
  return `case when ${text} ~ '${conversion.form}' then ${conversion.value(text)} end`
}

/** Whether users have defined the column: in a table of a custom model, or as an extension of another one. */
export const isCustomColumn = (table: { readonly owner?: string }, column: string): boolean =>
  isCustomTable(table) || /^x\d+_f\d+/.test(column)

const PACK = 'pack:'

/** The owner of the tables of a pack, by the app of the pack. */
export const packOwner = (app: string): string => `${PACK}${app}`

/** Whether a pack owns a table. */
export const isOfPack = (owner: string): boolean => owner.startsWith(PACK)

/** Whether users have defined the table, or switched on the pack that declares it. */
export const isCustomTable = ({ owner = '' }: { readonly owner?: string }): boolean =>
  owner === CUSTOM_MODELS_APP || isOfPack(owner)
