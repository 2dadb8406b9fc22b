import { isCached } from '../../../kernel/http/incoming-request.ts';
import type { IncomingRequest } from '../../../kernel/http/incoming-request.ts';
import { makeEtag } from '../../../kernel/http/precondition.ts';

type CachedReply =
  | { status: 200; body: string; headers: Record<string, string> }
  | { status: 304; headers: Record<string, string> };

/** The text with its ETag, or 304 if the caller has it already (RFC 9110 sections 8.8.3 and 13.1.2). */
export function cachedReply(
  request: IncomingRequest,
  body: string,
  { 'content-type': contentType, ...others }: Record<'content-type' | 'cache-control', string> & Record<string, string>,
): CachedReply {
  const etag = makeEtag(body);
  const headers = { ...others, etag };
  if (isCached(request, etag)) return { status: 304, headers };
  return { status: 200, body, headers: { ...headers, 'content-type': contentType } };
}
