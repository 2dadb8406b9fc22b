/** A location that CloudFront reports, in degrees. */
export interface ViewerPlace {
  /** ISO 3166-1 alpha-2. */
  country: string;
  latitude?: number;
  longitude?: number;
}

/** A request as the transport passes it, for the few operations that need more than their parsed input. */
export interface IncomingRequest {
  id: string;
  method: string;
  path: string;
  /** The raw query string, without the question mark. */
  rawQuery: string;
  /** The headers, with lower-case names. */
  headers: Readonly<Record<string, string | undefined>>;
  cookies: readonly string[];
  /** The address of the gateway's peer, or of the viewer behind CloudFront; never one that a caller's header claims. */
  sourceIp: string;
  /** The location of the viewer, which only CloudFront reports. */
  viewerPlace?: ViewerPlace | undefined;
  userAgent: string | null;
  /** The exact body, before parsing; empty if there is none. */
  rawBody: string;
}

/** Reports whether the caller already has the response with an entity tag (RFC 9110 sections 8.8.3 and 13.1.2). */
export function isCached({ headers }: Pick<IncomingRequest, 'headers'>, etag: string): boolean {
  const known = (headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return known.includes(etag) || known.includes('*');
}
