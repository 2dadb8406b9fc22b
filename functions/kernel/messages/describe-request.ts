import { clock } from '../clock.ts';
import type { IncomingRequest } from '../http/incoming-request.ts';
import type { RequestOfMail } from './templates/request-facts.ts';

const MOST_USER_AGENT = 1_024;

/** Describes the request of a browser for the mail that it causes: from where and when it was sent. */
export const describeRequest = ({
  sourceIp,
  userAgent,
}: Pick<IncomingRequest, 'sourceIp' | 'userAgent'>): NonNullable<RequestOfMail> => ({
  address: sourceIp,
  userAgent: userAgent?.slice(0, MOST_USER_AGENT),
  at: clock.timestamp(),
});
