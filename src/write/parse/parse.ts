import type { ChoiceValue } from '../../schema/choices.ts'
import type {
  AddressField,
  ChoiceField,
  FileField,
  HardwareAddressField,
  JsonField,
  NetworkField,
  ObjectTypeField,
  ObjectTypesField,
  ScalarField,
} from '../../schema/field.ts'
import { isJsonObject } from '../../schema/json.ts'
import type { Feature } from '../../schema/model.ts'
import { formatInterface, networkOf, parseInterface } from '../../schema/net/ip.ts'
import type { Registry } from '../../schema/registry.ts'
import { UploadedFile } from '../../schema/uploaded-file.ts'
import { accept, isRefused, NOT_BLANK, NOT_NULL, type Outcome, refuse } from '../outcome.ts'
import { parseList } from './parse-list.ts'
import { parseDateField, parseDateTimeField } from './parse-moment.ts'
import { parseBooleanField, parseDecimalField, parseIntegerField } from './parse-number.ts'
import { complainOfDocument, parseTextField } from './parse-text.ts'

type Parser<F> = (field: F, input: unknown, registry: Registry) => Outcome

/**
 * Parsers by kind of scalar field: from a value of a body, never null, to the row's form (`RowOf` of schema/rule.ts).
 * A new kind of field does not compile until it has a parser.
 */
const PARSERS: {
  readonly [K in ScalarField['kind']]: Parser<Extract<ScalarField, { kind: K }>>
} = {
  text: parseTextField,
  integer: parseIntegerField,
  decimal: parseDecimalField,
  boolean: parseBooleanField,
  date: parseDateField,
  dateTime: parseDateTimeField,
  json: parseJson,
  uuid: (_field, input) =>
    typeof input === 'string' && UUID.test(input.trim())
      ? accept(hyphenate(input.trim()))
      : refuse('Must be a valid UUID.'),
  choice: parseChoice,
  address: parseAddress,
  network: parseNetwork,
  hardwareAddress: parseHardwareAddress,
  file: parseFile,
  list: parseList,
  objectTypes: parseObjectTypes,
  objectType: (field, input, registry) => objectTypeOf(registry, field, input),
}

/** A value of a body in the row's form, or the reason why it is refused. */
export function parseValue(registry: Registry, field: ScalarField, input: unknown): Outcome {
  // As for every relation, an empty text means none.
  if (input === null || (input === '' && field.kind === 'objectType')) return parseNull(field)
  const parse = PARSERS[field.kind] as Parser<ScalarField> // the row of the field's own kind
  return parse(field, input, registry)
}

function parseNull(field: ScalarField): Outcome {
  if (field.kind === 'file') return allowsNoFile(field) ? accept('') : refuse(NOT_NULL)
  if (field.nullable || field.lateRequired) return accept(null)
  if (field.kind === 'choice') return field.blank ? accept('') : refuse(NOT_BLANK)
  return refuse(NOT_NULL)
}

function parseJson(field: JsonField<unknown>, input: unknown): Outcome {
  if (field.objectOnly && !isJsonObject(input)) return refuse('Must be a JSON object.')
  const complaint = complainOfDocument(input)
  return complaint === undefined ? accept(input) : refuse(complaint)
}

function parseChoice(field: ChoiceField<unknown>, input: unknown): Outcome {
  if (typeof input === 'object') {
    return refuse('The value must be passed directly, not within a document or a list.')
  }
  if (input === '') {
    if (!field.blank) return refuse(NOT_BLANK)
    // The empty text means no value for a text choice; for a number choice null does.
    return accept(typeof field.choices.list[0]?.value === 'string' ? '' : null)
  }
  const candidates: unknown[] = [input]
  // Forms have no numbers; and some choices are numbers as text.
  if (typeof input === 'string' && /^-?\d+$/.test(input)) candidates.push(Number(input))
  if (typeof input === 'number') candidates.push(String(input))
  const value = candidates.find((candidate) => field.choices.labels.has(candidate as ChoiceValue))
  return value === undefined ? refuse(`"${input}" is not a valid choice.`) : accept(value)
}

function parseAddress(_field: AddressField<unknown>, input: unknown): Outcome {
  const address = typeof input === 'string' ? parseInterface(input.trim()) : undefined
  return address
    ? accept(formatInterface(address))
    : refuse('Enter an IPv4 or IPv6 address with an optional mask length.')
}

function parseNetwork(_field: NetworkField<unknown>, input: unknown): Outcome {
  const given = typeof input === 'string' ? parseInterface(input.trim()) : undefined
  if (!given) return refuse('Enter an IPv4 or IPv6 network in CIDR notation.')
  const network = networkOf(given)
  return given.value === network.value
    ? accept(formatInterface(network))
    : refuse(`${input} is an address within ${formatInterface(network)}, not a network.`)
}

function parseHardwareAddress({ bytes }: HardwareAddressField<unknown>, input: unknown): Outcome {
  const text = typeof input === 'string' ? input.trim() : ''
  const digits = text.replace(/[:.-]/g, '')
  const isWellFormed =
    digits.length === bytes * 2 &&
    /^[0-9a-f]+$/i.test(digits) &&
    (text === digits ||
      /^([0-9a-f]{1,2}[:-])+[0-9a-f]{1,2}$|^([0-9a-f]{4}[.:-])+[0-9a-f]{4}$|^[0-9a-f]{6}-[0-9a-f]{6}$/i.test(
        text,
      ))
  if (!isWellFormed) return refuse(`Enter a hardware address of ${bytes} bytes.`)
  return accept((digits.toUpperCase().match(/../g) ?? []).join(':'))
}

const allowsNoFile = (field: FileField<unknown>): boolean =>
  field.blank === true || field.nullable === true || field.default === ''

function parseFile(field: FileField<unknown>, input: unknown): Outcome {
  if (input === '') return allowsNoFile(field) ? accept('') : refuse('No file was submitted.')
  if (!(input instanceof UploadedFile)) return refuse('The submitted data was not a file.')
  return input.bytes.length === 0 ? refuse('The submitted file is empty.') : accept(input)
}

function parseObjectTypes(
  field: ObjectTypesField<unknown>,
  input: unknown,
  registry: Registry,
): Outcome {
  if (!Array.isArray(input)) return refuse('Expected a list of items.')
  if (input.length === 0 && field.required) return refuse('This list may not be empty.')
  const names = new Set<string>()
  for (const item of input) {
    const outcome = objectTypeOf(registry, field, item)
    if (isRefused(outcome)) return outcome
    names.add(String(outcome.value))
  }
  return accept([...names].sort())
}

/** Checks `app.model` against the registry and the field's feature. */
function objectTypeOf(
  registry: Registry,
  { feature }: ObjectTypesField<unknown> | ObjectTypeField<unknown>,
  input: unknown,
): Outcome {
  if (typeof input !== 'string' || !/^[a-z_]+\.[a-z_0-9]+$/.test(input)) {
    return refuse('Specify an object type as "app.model".')
  }
  const model = registry.models.get(input)
  const isAllowed =
    model && !model.definition.private && (!feature || model.has(feature as Feature))
  return isAllowed ? accept(input) : refuse(`There is no object type ${input} to choose here.`)
}

const UUID = /^[0-9a-f]{8}(-?)[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{12}$/i

const hyphenate = (uuid: string): string =>
  uuid
    .toLowerCase()
    .replaceAll('-', '')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
