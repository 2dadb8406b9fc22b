/** The types of the package, which has none of its own, as far as the third party uses them. */
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
