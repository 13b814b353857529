/** A note is about something that only some people need. */
type State = 'ok' | 'to do' | 'note';

export interface Finding {
  readonly state: State;
  readonly what: string;
  /** What was found, and what to do about it. */
  readonly text: string;
}

export const ok = (what: string, text: string): Finding => ({ state: 'ok', what, text });
export const toDo = (what: string, text: string): Finding => ({ state: 'to do', what, text });
export const note = (what: string, text: string): Finding => ({ state: 'note', what, text });
