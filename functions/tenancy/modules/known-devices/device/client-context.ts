import type { ViewerPlace } from '../../../../kernel/http/incoming-request.ts';
import { cutText } from '../../../../kernel/text.ts';

/** The client context of a sign-in. */
export interface ClientContext {
  /** The kind of client, because only the same kind can refresh the session. */
  client: 'public' | 'confidential';
  ipAddress: string | null;
  userAgent: string | null;
  /** The client's own identifier of the device. */
  deviceId?: string | undefined;
  /** The address by which attempts are counted; absent if a back end does not forward the address of its user. */
  countedAddress?: string | undefined;
  /** The location of the client's own request, if CloudFront reports it. */
  place?: ViewerPlace | undefined;
}

/** The members of a body that describe the end user's client. */
interface ClientMembers {
  ip_address?: string | undefined;
  user_agent?: string | undefined;
  device_id?: string | undefined;
}

const MOST_USER_AGENT = 512;

/**
 * Reads the client context of a call. A confidential back end forwards it in the body. If it does not, the client is
 * unknown: the back end's own address represents all of its users and is not counted. For a public client it is that of the
 * request, and the body is ignored.
 */
export function readClientContext(
  client: 'public' | 'confidential',
  members: ClientMembers,
  request: { sourceIp: string; userAgent: string | null; viewerPlace?: ViewerPlace | undefined },
): ClientContext {
  const isOwn = client === 'public';
  const ipAddress = isOwn ? request.sourceIp : members.ip_address || null;
  const userAgent = isOwn ? request.userAgent : members.user_agent || null;
  return {
    client,
    ipAddress,
    userAgent: userAgent === null ? null : cutText(userAgent, 0, MOST_USER_AGENT),
    deviceId: members.device_id || undefined,
    countedAddress: ipAddress ?? undefined,
    place: isOwn ? request.viewerPlace : undefined,
  };
}
