import { findEnvironment } from '../authentication/environment.ts';
import { emailAddress } from '../address.ts';
import { consume, findRoom, type Verdict } from '../limits/counter.ts';
import { findLimit } from '../limits/named-limits.ts';
import { type CountedMessage, findCounter } from './cause.ts';
import { recipientHash } from './entity.ts';
import type { Template } from './template.ts';

const FREE: Verdict = { allowed: true, remaining: 1, retryAfterSeconds: 0 };

/**
 * Counts a message by its recipient and cause, when it is sent for the first time, by one conditional write. Messages that were
 * counted before they were composed are not counted again.
 * @param settings the settings of the environment
 * @returns the verdict; a message that is not allowed is not sent
 */
export async function countMessage(
  environmentId: string,
  message: CountedMessage,
  settings: unknown,
): Promise<Verdict> {
  const counter = findCounter(message);
  const limit = counter && findLimit(counter.name, settings);
  return counter === undefined || limit === undefined ? FREE : consume(environmentId, counter, limit);
}

/**
 * Reports whether a mail of a template would still be sent to an address, without counting it: one GetItem. A caller rejects its
 * request where it would not.
 * @param owner the owner of the message's row
 */
export async function findMailRoom(
  environmentId: string,
  { to, template, owner }: { to: string; template: Pick<Template, 'name' | 'cause'>; owner: string },
): Promise<Verdict> {
  const recipient = recipientHash(environmentId, emailAddress(to) ?? to);
  const counter = findCounter({ cause: template.cause, template: template.name, recipient, owner });
  const limit = counter && findLimit(counter.name, (await findEnvironment(environmentId))?.settings);
  return counter === undefined || limit === undefined ? FREE : findRoom(environmentId, counter, limit);
}
