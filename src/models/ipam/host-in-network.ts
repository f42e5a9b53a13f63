import { type Sql, sql } from '../../sql/fragment.ts'

/** Whether the host, an address without a mask, is in the network. As a range, which the indexes that end with hosts find. */
export const isHostInNetwork = (host: Sql, network: Sql): Sql =>
  sql`${host} between host(network(${network}))::inet and host(broadcast(${network}))::inet`
