import type { BusDetail } from '../../kernel/http/worker.ts';

/** Whether an event tells that an address of a user was proved, which may be the first proof of the account. */
export function tellsOfProof({ event, context }: BusDetail): boolean {
  const { previous_attributes: previous } = (context ?? {}) as { previous_attributes?: { email_verified?: boolean } };
  return event === 'user.updated' && previous?.email_verified === false;
}
