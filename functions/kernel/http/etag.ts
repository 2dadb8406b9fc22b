import type { IncomingRequest } from './incoming-request.ts';

/** Reports whether the caller has the response with an entity tag already (RFC 9110 sections 8.8.3 and 13.1.2). */
export function isCached({ headers }: Pick<IncomingRequest, 'headers'>, etag: string): boolean {
  const known = (headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return known.includes(etag) || known.includes('*');
}
