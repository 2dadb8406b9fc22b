/** A request as the transport gives it, for the few operations that look beyond their parsed input. */
export interface IncomingRequest {
  id: string;
  method: string;
  path: string;
  /** As it stood in the address, without the question mark. */
  rawQuery: string;
  /** Lower-case names. */
  headers: Readonly<Record<string, string | undefined>>;
  cookies: readonly string[];
  /** The address of the gateway's peer, or of the viewer that CloudFront vouches for; never what a header claims. */
  sourceIp: string;
  userAgent: string | null;
  /** The exact body, before parsing; empty when there is none. */
  rawBody: string;
}
