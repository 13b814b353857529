/** The client sent its body too slowly, or stopped sending. Adapters throw this error while the body is read. */
export class BodyTooSlow extends Error {
  override readonly name = 'BodyTooSlow';
}
