/** Operations on prefixes with everything that they contain. */
import { type Action, ANY_OBJECT, action, jsonResponse, listOf, packCode } from 'cadastre'
import { ask } from './ask.ts'
import { ADDRESS, PREFIX } from './contents.ts'
import { reshape } from './reshape.ts'
import { OPERATIONS, type Operation } from './wishes.ts'

const FLAG = { type: 'boolean' } as const
const NETWORK = { type: 'string', example: '192.0.2.0/24' } as const
const LENGTH = { type: 'integer', minimum: 1, maximum: 128 } as const

const DECLARED: Readonly<
  Record<Operation, { readonly title: string; readonly description: string; readonly body: object }>
> = {
  split: {
    title: 'Prefix Split',
    description:
      'Splits a prefix into all parts of a length, or into some parts. It stays around them as a container, becomes the first part or is deleted.',
    body: {
      length: LENGTH,
      prefixes: listOf(NETWORK),
      original: { type: 'string', enum: ['container', 'first', 'delete'], default: 'container' },
    },
  },
  merge: {
    title: 'Prefix Merge',
    description:
      'Merges prefixes: into the one of the path if it contains them, otherwise into the one that they fill together. Without a list, those directly within the prefix.',
    body: { prefixes: listOf({ type: 'integer' }) },
  },
  resize: {
    title: 'Prefix Resize',
    description: 'Gives a prefix a larger or a smaller network around or within its own.',
    body: { prefix: NETWORK, length: LENGTH, take_in: FLAG },
  },
  renumber: {
    title: 'Prefix Renumbering',
    description: 'Moves a prefix with what it contains to a free network of its size, or of a larger one.',
    body: { prefix: NETWORK, children: FLAG, ranges: FLAG, addresses: FLAG, names: FLAG },
  },
}

const operationAction = (operation: Operation): Action => {
  const { title, description, body } = DECLARED[operation]
  const masks = operation === 'renumber' ? {} : { masks: FLAG }
  return action({
    path: `ipam/prefixes/:id/${operation}`,
    title,
    description: `${description} With dry_run, only the report is made.`,
    methods: {
      POST: {
        permission: { view: ADDRESS, change: PREFIX },
        ...{ hasDryRun: true, isPlannable: true },
        body: { type: 'object', properties: { ...body, ...masks, dry_run: FLAG } },
        answer: {
          type: 'object',
          properties: {
            ...{ dry_run: FLAG, request_id: { type: 'string', format: 'uuid', nullable: true } },
            ...{
              counts: ANY_OBJECT,
              created: listOf(ANY_OBJECT),
              changed: listOf(ANY_OBJECT),
              deleted: listOf(ANY_OBJECT),
            },
          },
        },
        handle: async (request) =>
          jsonResponse(200, (await reshape(request, operation, await request.body.read())).report),
      },
    },
  })
}

const askAction: Action = action({
  path: 'ipam/prefixes/:id/request',
  title: 'Network Request',
  description:
    'Asks for the first free network of a length in the prefix, by a change request. Needs the permission `request` for that prefix only.',
  methods: {
    POST: {
      permission: 'user',
      status: 201,
      body: {
        type: 'object',
        required: ['prefix_length', 'description'],
        properties: { prefix_length: LENGTH, description: { type: 'string', maxLength: 150 } },
      },
      answer: {
        type: 'object',
        properties: { prefix: NETWORK, branch: ANY_OBJECT, change_request: ANY_OBJECT },
      },
      handle: ask,
    },
  },
})

export default packCode({ actions: [...OPERATIONS.map(operationAction), askAction] })
