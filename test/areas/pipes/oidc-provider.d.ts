/** The package has no types of its own; this is as much of it as the third party uses. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  export interface KoaContextWithOIDC {
    path: string;
    body: unknown;
    oidc?: { params?: Record<string, unknown> };
    get: (header: string) => string;
  }

  export class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>);
    use(middleware: (context: KoaContextWithOIDC, next: () => Promise<void>) => Promise<void>): void;
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
  }
}
