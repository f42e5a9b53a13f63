/** How busy the service is with requests. */
export interface Requests {
  /** Milliseconds since the last request ended; 0 while any is in progress. */
  idleTime(): number
}
