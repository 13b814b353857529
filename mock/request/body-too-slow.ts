/** A client that sends its body so slowly, or no longer, that nobody waits for the rest. Adapters have it come out of the body. */
export class BodyTooSlow extends Error {
  override readonly name = 'BodyTooSlow';
}
