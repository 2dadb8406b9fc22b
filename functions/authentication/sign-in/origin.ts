import { cutText } from '../../kernel/text.ts';

/** Where a sign-in comes from. */
export interface Origin {
  /** What the client is: a session can be refreshed by its like alone. */
  client: 'public' | 'confidential';
  ipAddress: string | null;
  userAgent: string | null;
  /** The client's own name of the device. */
  deviceId?: string | undefined;
  /** What attempts are counted by; absent where a back end does not say whose sign-in it is. */
  countedAddress?: string | undefined;
}

/** What a body may say of the end user's client. */
interface Told {
  ip_address?: string | undefined;
  user_agent?: string | undefined;
  device_id?: string | undefined;
}

const MOST_USER_AGENT = 512;

/**
 * Whose sign-in a call is. A confidential back end says so in the body, and where it does not, nobody knows: its own
 * address stands for all of its users and counts for none. Of a public client the request says it, and the body nothing.
 */
export function originOf(
  client: 'public' | 'confidential',
  told: Told,
  request: { sourceIp: string; userAgent: string | null },
): Origin {
  const isOwn = client === 'public';
  const ipAddress = isOwn ? request.sourceIp : told.ip_address || null;
  const userAgent = isOwn ? request.userAgent : told.user_agent || null;
  return {
    client,
    ipAddress,
    userAgent: userAgent === null ? null : cutText(userAgent, 0, MOST_USER_AGENT),
    deviceId: told.device_id || undefined,
    countedAddress: ipAddress ?? undefined,
  };
}
