import type { Caller } from '../../../../kernel/limits/caller.ts';
import { ABSENT_USER_ID } from '../../../../kernel/id-format.ts';
import { findUserConstantReads } from '../../users/public.ts';
import type { ClientContext } from './client-context.ts';
import { isKnownDevice } from './entity.ts';

/**
 * The client that requests or tries a code or link for an email address. Users of a back end are distinguished by the
 * client data that it forwards.
 */
export function callerAt(environmentId: string, email: string, origin: ClientContext): Caller {
  const { countedAddress: address, deviceId } = origin;
  if (deviceId === undefined) return { address };
  return { address, reserve: () => knownBrowser(environmentId, email, origin) };
}

/**
 * The key of the caller's device, if the user of the address has signed in with it. It makes the same reads for every
 * address.
 */
async function knownBrowser(environmentId: string, email: string, origin: ClientContext): Promise<string | undefined> {
  const user = await findUserConstantReads(environmentId, email);
  const isKnown = await isKnownDevice(environmentId, user?.id ?? ABSENT_USER_ID, origin);
  return user !== undefined && isKnown ? `${user.id} ${origin.deviceId}` : undefined;
}
