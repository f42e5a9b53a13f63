/** What an operation on a prefix would do, as a picture and a list. */
import { formatInterface, freeNetworks, type Interface, pagePathOf, storedInterface, widthOf } from 'cadastre'
import {
  choiceLabel,
  csrfField,
  EMPTY,
  fieldLabel,
  type Html,
  html,
  type NetworkBlock,
  networkMap,
  objectTable,
  type PageObject,
  panel,
  type Text,
  translate,
} from 'cadastre/web'
import { finder, isWithin, nameOf, networkOf, outermost, type Piece, PREFIX, prefixOf } from './contents.ts'
import type { Reshaped } from './reshape.ts'
import type { Operation } from './wishes.ts'

/** Rows of a preview, at most. */
const MOST_ROWS = 200
/** Height of a map that is 1024 wide. */
const MAP_HEIGHT = 96

export const TITLES: Readonly<Record<Operation, Text>> = {
  split: 'Split',
  merge: 'Merge prefixes',
  resize: 'Resize',
  renumber: 'Renumber',
}

/** What an operation would do, with a picture and the button that does it. */
export function previewOf(
  { request, model }: PageObject,
  operation: Operation,
  { plan, prefix, contents }: Reshaped,
): Html {
  const { create, change, remove } = plan
  const { registry, settings } = request.service
  const link = (piece: Piece): Html =>
    html`<a href="${settings.basePath}${pagePathOf(registry.model(piece.kind))}${piece.id}/">${nameOf(piece)}</a>`
  const valueText = ({ kind }: Piece, name: string, value: string): string | Html =>
    choiceLabel(registry.model(kind).fields.get(name), value) ?? (value === '' ? EMPTY : value)
  const rows = [
    ...create.map((network, index) => ({
      ...{ id: `new ${index}`, label: formatInterface(network) },
      cells: [formatInterface(network), translate('New')],
    })),
    ...remove.map((piece) => ({
      id: `gone ${piece.id}`,
      label: nameOf(piece),
      cells: [link(piece), translate('Deleted')],
    })),
    ...change.map(({ piece, fields }) => ({
      ...{ id: `${piece.kind} ${piece.id}`, label: nameOf(piece) },
      cells: [
        link(piece),
        html`${Object.entries(fields).map(
          ([name, [, after]], index) =>
            html`${index > 0 && ', '}${isPlace(name) ? '' : `${fieldLabel(registry, registry.model(piece.kind), name)}: `}${valueText(piece, name, after)}`,
        )}`,
      ],
    })),
  ]
  const after = stateAfter(contents.prefixes, contents.addresses, plan)
  const [target] = change.flatMap(({ piece, fields }) =>
    piece.kind === PREFIX && piece.id === prefix.id && fields.prefix ? [storedInterface(fields.prefix[1])] : [],
  )
  const network = networkOf(prefix)
  const larger = target && target.length < network.length ? target : network
  const [wholeBefore, wholeAfter] = operation === 'renumber' ? [network, target ?? network] : [larger, larger]
  const count = (label: string, number: number): Html => html`<span><strong>${String(number)}</strong> ${label}</span>`
  const title = translate(TITLES[operation])
  return panel(
    translate('Preview'),
    html`<p class="reshape-counts">${count(translate('created'), create.length)} ${count(translate('changed'), change.length)} ${count(translate('deleted'), remove.length)}</p>
<div class="reshape-maps"><div><h3>${translate('Before')}</h3>${networkMap(wholeBefore, blocksOf(wholeBefore, contents.prefixes, contents.addresses), MAP_HEIGHT)}</div>
<div><h3>${translate('After')}</h3>${networkMap(wholeAfter, blocksOf(wholeAfter, after.prefixes, after.addresses), MAP_HEIGHT)}</div></div>
<form method="post" action="?${canonical(request.search)}">${csrfField(request.csrfToken)}<p class="buttons"><button>${title}</button> <a class="button quiet" href="${settings.basePath}${pagePathOf(model)}${prefix.id}/reshape/">${translate('Cancel')}</a></p></form>
${
  rows.length > 0 &&
  objectTable({
    label: translate('Changes'),
    columns: [
      { name: 'object', label: translate('Object') },
      { name: 'change', label: translate('Would become') },
    ],
    rows: rows.slice(0, MOST_ROWS),
  })
}
${rows.length > MOST_ROWS && html`<p class="muted">${translate('Only the first {count} are listed.', { count: MOST_ROWS })}</p>`}`,
  )
}

/** The query without what belongs to the frame of the page. */
const canonical = (search: URLSearchParams): string => {
  const names = ['operation', 'length', 'prefixes', 'original', 'prefix', 'with']
  return new URLSearchParams([...search].filter(([name]) => names.includes(name))).toString()
}

const isPlace = (name: string): boolean => ['prefix', 'address', 'start_address', 'end_address'].includes(name)

/** Prefixes and addresses as the plan leaves them. */
function stateAfter(
  prefixes: readonly Piece[],
  addresses: readonly Piece[],
  { create, change, remove }: Reshaped['plan'],
) {
  const keyOf = ({ kind, id }: Piece): string => `${kind} ${id}`
  const gone = new Set(remove.map(keyOf))
  const changes = new Map(change.map(({ piece, fields }) => [keyOf(piece), fields.prefix ?? fields.address]))
  const after = (piece: Piece): Piece => {
    const [, text] = changes.get(keyOf(piece)) ?? []
    if (text === undefined) return piece
    const network = storedInterface(text)
    const moved = piece.kind === PREFIX ? prefixOf(network) : { ...piece, first: network.value, last: network.value }
    return { ...piece, first: moved.first, last: moved.last, length: network.length }
  }
  return {
    prefixes: [...prefixes.filter((piece) => !gone.has(keyOf(piece))).map(after), ...create.map(prefixOf)],
    addresses: addresses.map(after),
  }
}

/** The prefixes directly within a network with the space between them, or the network itself. */
function blocksOf(whole: Interface, prefixes: readonly Piece[], addresses: readonly Piece[]): readonly NetworkBlock[] {
  const level = outermost(prefixes.filter((piece) => isWithin(piece, whole) && piece.length > whole.length))
  const isHeld = prefixes.some((piece) => isWithin(piece, whole) && piece.length === whole.length)
  const drawn = level.length === 0 && isHeld ? [prefixOf(whole)] : level
  const blockOf = finder(drawn.map(networkOf))
  const counts = new Map<bigint, number>()
  for (const address of addresses) {
    const first = blockOf(address)?.value
    if (first !== undefined) counts.set(first, (counts.get(first) ?? 0) + 1)
  }
  return [
    ...freeNetworks(whole, drawn.map(networkOf)).map((network) => ({ network, used: undefined })),
    ...drawn
      .filter(({ isVisible }) => isVisible)
      .map((piece) => {
        const network = networkOf(piece)
        const size = 2 ** (widthOf(network.family) - network.length)
        return { network, used: Math.min(1, (counts.get(network.value) ?? 0) / size) }
      }),
  ]
}
