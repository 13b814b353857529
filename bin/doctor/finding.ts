export interface Finding {
  readonly state: 'ok' | 'to do';
  readonly what: string;
  /** What was found, and what to do about it. */
  readonly text: string;
}

export const ok = (what: string, text: string): Finding => ({ state: 'ok', what, text });
export const toDo = (what: string, text: string): Finding => ({ state: 'to do', what, text });
