/** A UUID in either letter case, and nothing else. */
export const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A map by UUID. Any letter case finds a value (RFC 9562, section 4); the keys are in lower case. */
export class UuidMap<Value> extends Map<string, Value> {
  override get(id: string): Value | undefined {
    return super.get(id.toLowerCase());
  }

  override has(id: string): boolean {
    return super.has(id.toLowerCase());
  }

  override set(id: string, value: Value): this {
    return super.set(id.toLowerCase(), value);
  }

  override delete(id: string): boolean {
    return super.delete(id.toLowerCase());
  }
}
