import type { History } from '../../../history/history.ts';
import { once } from '../../judging/law.ts';
import { type LawfulWrite, lives } from './lives.ts';
import { certain, type Register, registerOf, valuesBetween } from './register.ts';

/** A lawful write, and what it changes. */
export interface OwnWrite extends LawfulWrite {
  /** Whether the holder carried the label before the write; null where that is not certain. */
  readonly carried: boolean | null;
}

/** All lawful writes, in the order of sending. */
export const ownWrites = once((history: History): readonly OwnWrite[] =>
  [...lives(history).values()]
    .flatMap((life) => {
      const registers = new Map<string, Register>();
      return life.writes.map((write): OwnWrite => {
        const register = registers.get(write.label) ?? registerOf(life, write.label, history);
        registers.set(write.label, register);
        const { exchange } = write;
        const withoutThis = { ...register, writes: register.writes.filter((one) => one.exchange !== exchange) };
        return { ...write, carried: certain(valuesBetween(withoutThis, exchange.sentAt, exchange.doneAt)) };
      });
    })
    .sort((a, b) => a.exchange.n - b.exchange.n),
);
