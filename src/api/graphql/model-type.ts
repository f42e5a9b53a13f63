import {
  type GraphQLFieldConfig,
  type GraphQLFieldConfigArgumentMap,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLOutputType,
} from 'graphql'
import type { Model } from '../../schema/registry.ts'
import type { Types } from './catalogue.ts'
import type { Source } from './source.ts'

/** A field of an object type, and the source of its value. */
export interface ModelField {
  readonly config: GraphQLFieldConfig<unknown, unknown>
  readonly source: Source
}

/** The object type of a model while its fields are added. */
export interface ModelType {
  readonly types: Types
  readonly model: Model
  /** Adds a field, unless the type has one of that name. */
  readonly add: (
    name: string,
    type: GraphQLOutputType,
    source: Source,
    args?: GraphQLFieldConfigArgumentMap,
  ) => undefined
}

/** The type `X!`. */
export const required = (type: GraphQLOutputType): GraphQLOutputType =>
  new GraphQLNonNull(type as never) as GraphQLOutputType

/** The type, as `X!` if it is not nullable. */
export const nullableIf = (isNullable: boolean, type: GraphQLOutputType): GraphQLOutputType =>
  isNullable ? type : required(type)

/** The list type `[X!]!`. */
export const listType = (type: GraphQLOutputType): GraphQLOutputType => required(new GraphQLList(required(type)))
