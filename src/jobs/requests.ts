/** How busy the service is with requests. */
export interface Requests {
  /** Milliseconds since the last request began or ended. */
  idleTime(): number
}
