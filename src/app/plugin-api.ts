/**
 * The names that plugins import from 'cadastre'. Models and their rules are at 'cadastre/models/<app>/<model>', what pages
 * consist of is at 'cadastre/web'.
 */
export { type Action, ANY_OBJECT, action, listOf } from '../api/actions/action.ts'
export { andVisible, findTarget } from '../api/actions/target.ts'
export { cachedPreferencesOf } from '../api/actions/users/config.ts'
export type { ApiRequest } from '../api/api-request.ts'
export type { Endpoint } from '../api/endpoint.ts'
export { type GrpcCall, GrpcError, type GrpcRequest } from '../api/grpc-call.ts'
export { type HttpResponse, jsonResponse } from '../api/response.ts'
export { preconditionOf, unlessKnown } from '../api/transport/etag.ts'
export { objectId } from '../api/verbs/object-id.ts'
export { ApiError, ConfigurationError, forbidden, invalid } from '../base/errors.ts'
export type { MigrationStep } from '../db/migrate/steps.ts'
export { loadUserById } from '../identity/load-user.ts'
export { hashPassword, isPassword } from '../identity/password.ts'
export { mayAct, permittedRows, requirePermission } from '../identity/permitted-rows.ts'
export { requireUser } from '../identity/require-user.ts'
export { branchService, openBranch } from '../read/branches/branch-service.ts'
export { cachedResult } from '../read/query/cached-column.ts'
export { lastValue } from '../read/query/last-value.ts'
export { parametersOf } from '../read/query/parameters.ts'
export { type ChoiceSet, choices } from '../schema/choices.ts'
export {
  comments,
  coordinates,
  description,
  housekeeping,
  LOGGED,
  owner,
  ownerOptions,
  PRIMARY,
  SHORT_NODE,
  tenant,
  tenantOptions,
  timestamps,
} from '../schema/common.ts'
export {
  address,
  boolean,
  choice,
  color,
  computed,
  counter,
  customFields,
  date,
  dateTime,
  decimal,
  derived,
  derivedKey,
  email,
  type Field,
  file,
  foreignKey,
  genericForeignKey,
  hardwareAddress,
  instruction,
  integer,
  isScalar,
  json,
  list,
  manyToMany,
  network,
  objectType,
  objectTypes,
  relatedCount,
  reverse,
  slug,
  subtreeCount,
  tags,
  text,
  timeZone,
  url,
  uuid,
} from '../schema/field.ts'
export {
  absent,
  booleanFilter,
  choiceFilter,
  custom,
  hardwareAddressFilter,
  holds,
  listContains,
  numberFilter,
  objectTypeFilter,
  present,
  related,
  relatedTree,
  textFilter,
} from '../schema/filter.ts'
export { genericKeys } from '../schema/generic-keys.ts'
export { isJsonObject, type Json, type JsonObject, objectsIn } from '../schema/json.ts'
export { type Definition, type Feature, model } from '../schema/model.ts'
export { keyOfObject, naturalKeys } from '../schema/natural-key.ts'
export { freeNetworks, takeNetwork } from '../schema/net/free-space.ts'
export {
  formatInterface,
  formatIp,
  type Interface,
  lastOf,
  parseInterface,
  storedInterface,
  widthOf,
} from '../schema/net/ip.ts'
export { oncePerBatch } from '../schema/once-per-batch.ts'
export { pagePathOf } from '../schema/page-path.ts'
export type { ColumnOf } from '../schema/path.ts'
export type { Model, Registry } from '../schema/registry.ts'
export {
  type AnyRow,
  type Behaviour,
  behaviour,
  behaviourOf,
  type Change,
  type EffectFunction,
  type Normalizer,
  type Read,
  type RowOf,
  type Rule,
  rulesFor,
  type StoredObjects,
  type UntypedBehaviour,
  type UntypedChange,
  type UntypedEffect,
} from '../schema/rule.ts'
export { equalsInteger, equalsText, textContains, textStartsWith } from '../schema/search-term.ts'
export { firstCharacters, shortened, shortenedName } from '../schema/shortened.ts'
export { UploadedFile } from '../schema/uploaded-file.ts'
export { isWritable } from '../schema/writable.ts'
export { mainOf, type Service } from '../service.ts'
export { identifier, join, type Sql, sql, volatile } from '../sql/fragment.ts'
export { reserveIds } from '../sql/predicted-ids.ts'
export type { Queryable } from '../sql/queryable.ts'
export { deleteFrom, insertInto, table, updateTable } from '../sql/table.ts'
export { DryRun } from '../write/dry-run/dry-run.ts'
export { bulkDeleteTargets, bulkUpdateTargets } from '../write/parse/bulk.ts'
export { parseValue } from '../write/parse/parse.ts'
export { repeated } from '../write/run.ts'
export { storedObjects } from '../write/stored-objects.ts'
export { type PackCode, type PackCommand, type PackJob, packCode } from './plugins/pack.ts'
export { settingsOfPack } from './plugins/pack-settings.ts'
export { type Plugin, type PluginDeclaration, plugin } from './plugins/plugin.ts'
export { expressionProblem, type Reader, readerOf } from './plugins/reader.ts'
export {
  type EndpointWriter,
  requestOf,
  writeAs,
  writeObjects,
  writeWith,
} from './plugins/write-objects.ts'
