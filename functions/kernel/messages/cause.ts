import type { Counted } from '../limits/counter.ts';
import type { LimitName } from '../limits/named-limits.ts';
import { withoutPartition } from '../storage/record.ts';

/**
 * The causes of messages, each with the limit of its messages to one recipient. Each cause is counted separately, so that no sender
 * uses up the messages of another one, or those of a person's own sign-in.
 */
export const MESSAGE_LIMITS = {
  /**
   * A code, a link or a notice that someone asked for at a sign-in. It is counted before it is composed, by recipient and client:
   * `countSending`, `consumeSms`, and the limits of Radar's challenges.
   */
  own_sign_in: undefined,
  /** A change of the reader's own account, counted for each kind of notice. */
  own_account: 'mail.own-account.daily',
  /** An invitation, counted for each organization that invites, and for the environment. */
  invitation: 'mail.invitation.daily',
  /** Something that concerns the reader's work for an environment or the stage. */
  administration: 'mail.administration.daily',
} as const satisfies Record<string, LimitName | undefined>;

/** The cause of a kind of message. */
export type MessageCause = keyof typeof MESSAGE_LIMITS;

/** Reports whether the reader, or another person in the reader's name, caused a message: a sign-in, or a change of the account. */
export const isOwnCause = (cause: MessageCause | undefined): boolean =>
  cause === 'own_sign_in' || cause === 'own_account';

/** A message by what it is counted by. */
export interface CountedMessage {
  cause: MessageCause;
  template: string;
  /** The hash of the address, made by `recipientHash`. */
  recipient: string;
  /** The owner of the message's row: the organization or the environment that invites. */
  owner: string | undefined;
}

/** The counter of a message; undefined if it was counted before it was composed. */
export function findCounter({
  cause,
  template,
  recipient,
  owner = '',
}: CountedMessage): (Counted & { name: LimitName }) | undefined {
  const name = MESSAGE_LIMITS[cause];
  return name && { name, key: `${recipient} ${cause === 'invitation' ? withoutPartition(owner) : template}` };
}
