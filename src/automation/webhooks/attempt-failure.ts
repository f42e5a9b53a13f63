/** The reason why an attempt of a delivery failed, in words for the owner of the webhook. Contains no secrets. */
export class AttemptFailure extends Error {
  override readonly name = 'AttemptFailure'
}
